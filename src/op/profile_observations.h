#pragma once
/* Devices of operators and kernels. */
#include "op/profile.h"

/* Observations by operators (full names, without overloads) and kernels, sorted by name. */
const struct op_observation *profile_observations(const struct profile *profile, size_t *ret_count);

/* --- internal to a profile */

void profile_add_observation(struct profile *profile, const struct op_observation *observation);
void profile_sort_observations(struct profile *profile);
