#pragma once
/* Operators that a target adds to those recorded. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void implied_build(struct doc *doc, const struct result *result);
