#pragma once
/* Costs of the CPU and of compiling. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void costs_build(struct doc *doc, const struct result *result);
void compiling_build(struct doc *doc, const struct result *result); /* the last of these alone */
