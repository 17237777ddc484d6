#pragma once
/* Findings of one rule and one origin as causes. */
#include "assess/model/result.h"

/*
 * Fills in result->causes from its findings, which are sorted: those of one rule and one origin are one cause over
 * operators and targets. The gravest and largest come first.
 *
 * The origin is what the findings have in common beyond the rule: a package, the data types, the recipe that helps,
 * the operator that others call. A consequence of another operator is nested under that operator's cause.
 */
void causes_put(struct result *result);
