#pragma once
/* Costs of a step as drawings, on a page alone. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

/* The CPU and the AI CPU as a bar, with a table. False if they cost nothing. */
bool costs_draw(struct doc *doc, const struct result *result, const struct result_target *target);

/* Visits to the host over a step. */
void visits_draw(struct doc *doc, const struct result_target *target);

void compiling_draw(struct doc *doc, const struct result *result);
