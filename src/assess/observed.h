#pragma once
/* What a dump made on a device adds to an assessment: what was seen of each operator, and how that agrees with what is foretold. */
#include "assess/assess.h"
#include "assess/compare/sightings.h"

struct observing {
	const struct assess_request *request;
	const struct operators *operators;
	const size_t *order; /* of the result's operators in `operators` */
	struct arena *scratch;
	struct resolver *resolver;
	struct finding_list *findings;
	struct result *result; /* its inputs, operators and their verdicts are there */
};

/* Adds what was seen to the operators, findings, and the agreement with every target of the dump's device. Nothing in other dumps.
   ERR_DB_DAMAGED, ERR_LIMIT. */
int observed_put(const struct observing *observing, struct err *err);
