#pragma once
/* The steps of a plan with their commands: one card, several cards, several nodes, and back. */
#include "report/doc/doc_build.h"
#include "scan/plan/plan.h"

void plan_steps_build(struct doc *doc, const struct plan *plan);
void plan_back_build(struct doc *doc, const struct plan *plan);
