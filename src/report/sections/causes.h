#pragma once
/* Findings by rule and origin. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void causes_build(struct doc *doc, const struct result *result);
