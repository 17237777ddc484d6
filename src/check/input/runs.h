#pragma once
/*
 * The way of read dumps into the profile. A table, a trace and an execution trace of one run are joined
 * (op/profile_join.h): each dump with one of the limits.held_dumps before it. All go into the profile in their order.
 */
#include "assess/model/capture.h"
#include "base/memory/mem.h"

/* One run, with the dumps that show it. */
struct held_run {
	struct profile *part;
	struct str label;       /* of its rank */
	size_t base;            /* the position in inputs of the dump whose figures count */
	MEM_LIST(size_t) dumps; /* positions in inputs, of at most one dump of each format */
	bool cut;               /* each of them lacks rows */
};

struct run_queue {
	struct profile *profile; /* that takes them all */
	const struct limits *limits;
	MEM_LIST(struct assess_input) inputs; /* the dumps so far */
	MEM_LIST(struct held_run) held;
	size_t places; /* sinks of the profile so far */
};

/* Take a dump over, with its part. Texts of the input and the label must outlive the queue. */
void runs_add(struct run_queue *queue, const struct assess_input *input, struct profile *part, struct str label);

/* Puts what is left into the profile: the inputs are complete then. */
void runs_finish(struct run_queue *queue);

/* Frees all but the profile. */
void runs_clear(struct run_queue *queue);
