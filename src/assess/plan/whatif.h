#pragma once
/*
 * The greedy way to ready: of all that could be done to a target, what helps most, then what helps most after that.
 *
 * First comes what takes most operators out of the way that do not run, then those that may not, then what brings most
 * time onto the device for certain. A replaced operator is taken to run on the device, a condition to turn out well,
 * and a package to bring the kernels that were seen in it.
 */
#include "assess/plan/cost_parts.h"

/* Fills in fixes of the target at this place; advice on the result's operators tells which have a recipe.
   ERR_DB_DAMAGED, ERR_LIMIT. */
int whatif_plan(const struct cost_request *request, size_t place, struct result *result, struct err *err);

/* The release on the chip that another target names, if there is one and it does. ERR_TARGET. */
int target_like(const struct opdb *db, const struct release *release, const struct target *other, struct target *ret,
	struct err *err);
