#pragma once
/* Shares and counts in the text format of Prometheus. */
#include "report/ci/ci.h"

void ci_metrics(const struct ci_report *report, struct buf *out);
