#pragma once
/*
 * The ranks of a run apart: the word of each, and the spread of their shares. An operator's verdict is the one over all
 * ranks; a rank has those of the operators that it calls.
 */
#include "assess/finding/tally.h"

/* Add the worst rank and the spread to the headline of the target, which has its word; a run of one rank has none. */
void headline_put_ranks(const struct reason_request *request, const struct profile *profile, struct result *result);
