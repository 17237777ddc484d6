#pragma once
/* Device time of a dump's steps on each target that names a chip, or whose common chips have known peaks. */
#include "assess/estimate/calls.h"
#include "assess/judge/judgement.h"
#include "assess/judge/readiness.h"
#include "assess/model/capture.h"
#include "opdb/db/target.h"

struct estimate_request {
	const struct opdb *db;
	const struct calls *calls; /* of the profile */
	const struct operators *operators;
	const struct weights *weights;
	const struct target *targets;        /* those of the result */
	struct judgement *const *judgements; /* per target, then in the order of the operators */
	const size_t *order;                 /* of the operators, as the result lists them */
	const bool *host_work;               /* by operator; NULL: none */
	const struct assess_input *inputs;
	size_t input_count;
};

/* Fills in device_time of each target of the result, and shares of it in verdicts of a dump of a CPU. ERR_DB_DAMAGED,
   ERR_LIMIT. */
int estimate_add(const struct estimate_request *request, struct result *result, struct err *err);
