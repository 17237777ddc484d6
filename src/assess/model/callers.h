#pragma once
/* Where in the program operators are called from: what a report keeps of the modules and stacks of a profile. */
#include "assess/model/operators.h"

enum { CALLERS_LISTED = 3 }; /* modules of an operator, and lines */

/* Fills in the callers of results, which are the operators in that order; their texts live in arena. */
void callers_put(struct arena *arena, const struct profile *profile, const struct operators *operators,
	const size_t *order, struct result_operator *results);
