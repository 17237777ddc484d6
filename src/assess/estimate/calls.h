#pragma once
/* The work of all calls of a profile, whatever the target: one cost for each of its uses. */
#include "assess/estimate/call_cost.h"
#include "op/profile.h"

/* All calls of a use. The kernels and times of parts that only exist as parts
   ("aten::cudnn_convolution_backward_input") are those of the operator around them. */
struct call_use {
	struct call_cost cost; /* of one call; WORK_NONE for what is no operator */
	double kernels;        /* that one call of a trace launched */
	int64_t device_ns;     /* of all */
	uint64_t turns;        /* in the order of a step */
	bool part;             /* it is such a part */
};

struct calls {
	const struct profile *profile;
	const struct profile_use *uses;
	struct call_use *items; /* by use */
	size_t count;
	bool launched; /* the dump is of a device: it has device times */
	bool counted;  /* it has kernels: what has none only copied between host and device */
	bool ordered;  /* it has the order of a step */
};

/* assumed: enum dtype of tensors whose type is not recorded, one or 0. Everything in *ret lives in arena. */
void calls_gather(struct arena *arena, const struct profile *profile, unsigned assumed, struct calls *ret);

/* Returns whether the use worked on the device of the dump. */
static inline bool calls_work(const struct calls *calls, size_t use)
{
	return calls->items[use].device_ns > 0 && (!calls->counted || calls->items[use].kernels > 0);
}

/* An operator in the order of a stream. */
struct call_turn {
	uint32_t use, around;                /* around: what enter returned for the one around it; NO_USE: none */
	const struct profile_turn *at, *end; /* it and those behind it */
};

/* Walks the order of each stream. enter returns what is around the operators inside. */
typedef uint32_t calls_enter(void *ctx, const struct call_turn *turn);
void calls_walk(const struct profile *profile, calls_enter *enter, void *ctx);
