#pragma once
/*
 * What follows from the verdicts for whoever moves: the way to ready, what compiles, what goes to the CPU and back, and where in
 * the program all that sits.
 */
#include "assess/judge/assume.h"
#include "assess/judge/readiness.h"
#include "base/limits.h"

/* Assumptions about the machine; 0: the usual ones. */
struct cost_options {
	uint64_t host_bandwidth;      /* bytes per second between host and device, each way */
	uint64_t host_slowdown_milli; /* 2000: operators take twice as long on that host as in the dump */
};

enum { USUAL_SLOWDOWN_MILLI = 1000 };
#define USUAL_BANDWIDTH UINT64_C(12000000000) /* of about 16 GB/s that PCIe 3.0 x16 has, what programs see of it */

/* "12GB/s", "900MB/s", "25e9" is none. Decimal units. ERR_VALUE. */
int cost_parse_bandwidth(struct str text, uint64_t *ret, struct err *err);

/* "1.5". ERR_VALUE. */
int cost_parse_slowdown(struct str text, uint64_t *ret_milli, struct err *err);

struct cost_request {
	const struct judge *judge; /* brief */
	const struct weights *weights;
	const size_t *order; /* of the operators, by share */
	const struct assumption_list *assumptions;
	const struct limits *limits;
	const struct target *targets;        /* as the result has them */
	struct judgement *const *judgements; /* per target, then in the order of the operators */
	struct cost_options options;
};

/* Fills in what result_cost.h describes; operators and targets of the result are there. ERR_DB_DAMAGED, ERR_LIMIT. */
int cost_add(const struct cost_request *request, struct result *result, struct err *err);

#define NO_OPERATOR UINT32_MAX

/* Positions of the operators that the profile's uses belong to; NO_OPERATOR for other uses. On the heap. */
uint32_t *cost_operators_of_uses(const struct cost_request *request);
