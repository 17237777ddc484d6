#pragma once
/*
 * Parts that a dump made on a device adds to an assessment: the unit that each operator was seen on, and its
 * agreement with the prediction.
 */
#include "assess/compare/observations.h"

struct observing {
	const struct judge *judge; /* its resolver, profile and operators */
	const struct assess_input *inputs;
	size_t input_count;
	const struct target *targets; /* those of the result */
	size_t target_count;
	const size_t *order; /* of the result's operators in those of the judge */
	int64_t slow_ppm;    /* of the time: as of struct weights */
	struct arena *scratch;
	struct finding_list *findings;
	struct result *result; /* its inputs, operators and their verdicts are there */
};

/* Adds what was seen to the operators, findings, and the agreement with every target of the dump's device. Nothing in
   other dumps. ERR_DB_DAMAGED, ERR_LIMIT. */
int observed_put(const struct observing *observing, struct err *err);
