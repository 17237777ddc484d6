#pragma once
/* Findings by rule and origin. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

/* Text lists causes in place of findings, unless all is asked for. left_out findings are those of a baseline. */
void causes_build(struct doc *doc, const struct result *result, size_t left_out);
