#pragma once
/* The rules as SARIF describes a tool, in both languages. */
#include "report/ci/ci.h"

void sarif_put_tool(struct jsonw *json, const struct ci_report *report);
