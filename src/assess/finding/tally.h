#pragma once
/*
 * Causes of a verdict: the operators that decide it, each with the one thing that limits it. Causes are words of the
 * family "cause" in web/i18n.
 */
#include "assess/judge/readiness.h"
#include "assess/model/result.h"

struct reason_request {
	const struct weights *weights;
	const size_t *order;                /* of the operators, by share */
	const struct judgement *judgements; /* on the target, in the order of the operators */
	size_t target;                      /* its place among the result's */
	bool implied;                       /* an operator that was not recorded does not run there */
};

enum { CAUSE_NAMES = 3, CAUSES_KEPT = 16 };

struct cause_tally {
	struct str cause;
	struct str names[CAUSE_NAMES];    /* of its largest operators */
	struct str packages[CAUSE_NAMES]; /* that they need, each once */
	size_t package_count;
	int64_t weight, operators;
};

struct tally {
	struct cause_tally causes[CAUSES_KEPT]; /* by their largest operator */
	size_t count;
	int64_t weight, operators;
};

/* Tally what decides the verdict that the target has; empty where no operator limits it. */
void tally_causes(const struct reason_request *request, struct result *result, struct tally *ret);

/* The cause with the largest share, then with the most operators. The tally is not empty. */
const struct cause_tally *tally_largest(const struct tally *tally);
