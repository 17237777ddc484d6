#pragma once
/* Operators whose shapes follow from those of data-dependent ones. */
#include "assess/shape/dynamic.h"

/*
 * Operators whose shapes change because values decided the shape of something before them.
 *
 * In the order of one step a size at a place that changes is new or was there before; shapes that every step has do not
 * count. A size that is new behind an operator whose result depends on values is taken for one that values decided; an
 * operator all of whose changing sizes are such ones follows the operator that made them. Dumps without an order
 * (tables) show nothing of this.
 *
 * Sets follows in dynamic[i] of operators->items[i]. by_data: per operator, whether its result depends on values. The
 * names are those of the operators.
 */
void followers_find(const struct profile *profile, const struct operators *operators, const bool *by_data,
	struct result_dynamic *dynamic);
