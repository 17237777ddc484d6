#pragma once
/* Inputs of a cost and its parts (fallback.h, penalty.h, places.h). */
#include "assess/judge/composite.h"
#include "assess/judge/readiness.h"
#include "assess/model/capture.h"
#include "base/setup/limits.h"

/* Assumptions about the machine; 0: the usual ones. */
struct cost_options {
	uint64_t host_bandwidth;      /* bytes per second between host and device, each way */
	uint64_t host_slowdown_milli; /* 2000: operators take twice as long on that host as in the dump */
};

struct cost_request {
	const struct judge *judge; /* brief */
	const struct weights *weights;
	const size_t *order; /* of the operators, by share */
	const struct limits *limits;
	const struct target *targets;        /* those of the result */
	struct judgement *const *judgements; /* per target, then in the order of the operators */
	const struct assess_input *inputs;   /* those of the result, which may name the GPU that ran */
	struct cost_options options;
};
