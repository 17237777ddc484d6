#pragma once
/* JUnit: a test case for each operator of a target. */
#include "report/ci/ci.h"

void ci_junit(const struct ci_report *report, struct buf *out);
