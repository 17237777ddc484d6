#pragma once
/*
 * An assessment under way: what its steps share, which assess.c runs. Steps that can fail return 0 or the code of
 * work->err.
 */
#include "assess/estimate/calls.h"
#include "assess/finding/finding.h"
#include "assess/judge/composite.h"
#include "assess/judge/readiness.h"
#include "assess/shape/buckets_gather.h"
#include "base/setup/beside.h"

struct assess_request;

enum { BESIDE = 2 }; /* steps beside the judging: the analysis of shapes, and gathering calls */

/* Of an operator: the uses whose shapes the report lists, in their order, and how many it has. */
struct listed_uses {
	const struct profile_use **items;
	size_t count, total;
};

struct assessment {
	const struct assess_request *request;
	struct result *result;
	struct arena *arena; /* the result's */
	struct arena scratch;
	struct resolver *resolver;
	struct operators operators;
	struct judge judge;
	struct type_sets type_sets;
	struct call_facts call_facts;
	struct result_dynamic *dynamic; /* per operator */
	struct listed_uses *listed;     /* per operator */
	struct arena shapes_arena;      /* of the analysis of shapes */
	struct arena listed_arena;      /* of its lists */
	struct beside beside[BESIDE];
	struct bucket_source sizes; /* found by that analysis */
	struct calls calls;         /* gathered in the other thread, in an arena of their own */
	struct arena calls_arena;
	bool *by_data; /* per operator: data-dependent */
	struct weights weights;
	size_t *order;                 /* operators by share */
	struct judgement **judgements; /* per target, then operator */
	struct composites *composites;
	struct finding_list findings;
	struct err *err;
};
