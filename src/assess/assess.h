#pragma once
/* From a profile, the database and a list of targets to the one result that every format shows. */
#include "assess/finding/warnings.h"
#include "assess/plan/cost.h"
#include "assess/plan/survey.h"
#include "assess/shape/buckets.h"
#include "opdb/db/opdb.h"

struct assess_request {
	const struct assess_input *inputs;
	size_t input_count;
	struct left_out left_out;
	const struct profile *profile; /* finished */
	const struct opdb *db;
	const struct target *targets;
	size_t target_count;
	const struct limits *limits;
	struct bucket_list *buckets;         /* filled when given; lives in the result */
	const struct survey_options *survey; /* given: targets are those to move from, the result has releases alone */
	const struct assumption_list *assumptions; /* may be NULL */
	unsigned stated_types; /* enum dtype: what the program computes in, as its user says; 0: not stated */
	const int64_t *max_uncovered_ppm; /* of the time that is of no operator; NULL: the usual limit */
	const int64_t *slow_ppm; /* of the time on the host or the AI CPU, from which it warns; NULL: the usual */
	struct cost_options cost;
	const char *tool_version;
	bool skip_history;  /* as in struct judge */
	bool skip_releases; /* leaves out what the dump would be on every other release */
};

/* ERR_NO_OPERATOR when nothing that was recorded is an operator; ERR_DB_DAMAGED, ERR_LIMIT. The result keeps nothing of
   what the request points to; result_free frees it. */
int assess(const struct assess_request *request, struct result **ret, struct err *err);
