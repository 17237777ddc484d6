#pragma once
/* Where in the program the operators are. */
#include "assess/plan/cost_parts.h"

/* Where in the program the operators are: fills in places of the result, by module path, or by line of source where the
   dump has no modules. A module holds what runs in the modules inside it. Operators without a place in the dump are in
   none. */
void places_add(const struct cost_request *request, struct result *result);
