#pragma once
/* Workflow commands of GitHub. */
#include "report/ci/ci.h"

void ci_annotations(const struct ci_report *report, struct buf *out);
