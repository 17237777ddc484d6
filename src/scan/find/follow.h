#pragma once
/*
 * Follow texts that may name a device through names, attributes, parameters, results and comparisons, over the whole
 * project. Values and comparisons with them form one group; one certain use makes all of it certain: a rename is
 * whole or is not made.
 *
 * An attribute or a key is known by its name alone.
 */
#include "scan/find/check.h"

/* Finds the groups, and reports the candidates that are certain or doubtful. */
void follow_candidates(struct check *check);
