#pragma once
/*
 * The greedy way to ready: of all that could be done to a target, what helps most, then what helps most after that.
 *
 * First comes what takes most operators out of the way that do not run, then those that may not, then what brings most
 * time onto the device for certain. A replaced operator is taken to run on the device, a condition to turn out well,
 * and a package to bring the kernels that were seen in it.
 */
#include "assess/judge/composite.h"
#include "assess/judge/readiness.h"

struct whatif_request {
	const struct judge *judge; /* brief; asks about other releases */
	const struct weights *weights;
	const size_t *order; /* of the operators, by share */
	const struct target *target;
	const struct judgement *judgements;      /* in the order of the operators */
	const struct result_operator *operators; /* by share: their advice tells which have a recipe */
	size_t place;                            /* of the target among the verdicts */
};

/* Fills in fixes of *ret. Texts live in arena. ERR_DB_DAMAGED, ERR_LIMIT. */
int whatif_plan(const struct whatif_request *request, struct arena *arena, struct result_target *ret, struct err *err);
