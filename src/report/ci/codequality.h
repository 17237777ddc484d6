#pragma once
/* Code Quality of GitLab. */
#include "report/ci/ci.h"

void ci_codequality(const struct ci_report *report, struct buf *out);
