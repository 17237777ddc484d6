#pragma once
/* SARIF 2.1.0. */
#include "report/ci/ci.h"

void ci_sarif(const struct ci_report *report, struct buf *out);
