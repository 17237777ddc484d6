#pragma once
/*
 * Why a verdict is what it is, in one sentence: how many operators decide it, their share of the basis, and the one
 * cause behind most of it.
 */
#include "assess/finding/tally.h"

/* Set the reason of the target, whose verdict is there. */
void reason_put(const struct reason_request *request, struct result *result);
