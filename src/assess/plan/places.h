#pragma once
/*
 * Where in the program the operators sit: by module path, or by line of source where the dump tells no modules.
 *
 * A module holds what runs in the modules inside it. Operators that the dump places nowhere are in no place.
 */
#include "assess/plan/cost.h"

/* Fills in places of the result. */
void places_add(const struct cost_request *request, const uint32_t *operators_of_uses, struct result *result);
