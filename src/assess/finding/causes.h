#pragma once
/*
 * Findings of one rule and one origin as one cause over operators and targets.
 *
 * The origin is what the findings have in common beyond the rule: a package, the data types, the recipe that helps, the
 * operator that others call. What follows from another operator hangs under the cause of that one.
 */
#include "assess/model/result.h"

/* Fills in result->causes from its findings, which are sorted: the gravest and largest first. */
void causes_put(struct result *result);
