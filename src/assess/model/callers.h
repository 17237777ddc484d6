#pragma once
/* Where in the program operators are called from. */
#include "assess/model/operators.h"

/* Fills in where in the program results are called from, which are the operators in that order: what a report keeps of
   modules and stacks. Texts live in arena. */
void callers_put(struct arena *arena, const struct profile *profile, const struct operators *operators,
	const size_t *order, struct result_operator *results);
