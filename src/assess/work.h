#pragma once
/*
 * An assessment under way: what its steps share, and the steps in their order, which assess.c runs. Steps that can
 * fail return 0 or the code of work->err.
 */
#include <pthread.h>

#include "assess/finding/finding.h"
#include "assess/judge/composite.h"
#include "assess/judge/readiness.h"
#include "assess/shape/buckets_gather.h"

struct assess_request;

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
	struct arena shapes_arena;      /* of the analysis of shapes, which may go on in a thread */
	struct arena listed_arena;      /* of its lists */
	pthread_t thread;
	bool beside;                /* it does */
	struct bucket_source sizes; /* found by it */
	bool *by_data;              /* per operator: data-dependent */
	struct weights weights;
	size_t *order;                 /* operators by share */
	struct judgement **judgements; /* per target, then operator */
	struct composites *composites;
	struct finding_list findings;
	struct err *err;
};

/* gather.c: the operators of the profile, by the names that the database knows. ERR_NO_OPERATOR. */
int assessment_gather(struct assessment *work);

/* listing.c: operators by share, with times, callers and shapes, and the names that are no operators. */
void assessment_sort(struct assessment *work);
void assessment_list_operators(struct assessment *work);
void assessment_choose_shapes(struct assessment *work); /* needs no database */
void assessment_list_shapes(struct assessment *work);
void assessment_list_ignored(struct assessment *work);

/* shapes.c: which shapes change, found in a thread beside the judging where there is enough to do. */
void assessment_start_shapes(struct assessment *work);
void assessment_finish_shapes(struct assessment *work);

/* verdicts.c: on each operator, then on each target, and why. */
int assessment_prepare_judge(struct assessment *work);
int assessment_judge_targets(struct assessment *work);
void assessment_sum_targets(struct assessment *work);
int assessment_settle_verdicts(struct assessment *work);

/* describe.c: program, database and inputs of the result. */
void assessment_describe_sources(struct assessment *work);
void assessment_describe_inputs(struct assessment *work);

/* releases.c: what judging again says, without texts: costs, the same dump on every release, or that survey alone. */
int assessment_add_costs(struct assessment *work);
int assessment_add_releases(struct assessment *work);
int assessment_survey(struct assessment *work);
