#pragma once
/* The work of all calls of a profile, whatever the target: one cost for each of its uses. */
#include "assess/estimate/call_cost.h"
#include "op/profile.h"

struct calls {
	const struct profile *profile;
	struct call_cost *costs; /* by use; of operators alone, others have WORK_NONE */
	/* By use, of one call of a trace: the kernels that it launched, with those of parts that only exist as parts
	   ("aten::cudnn_convolution_backward_input"). */
	double *kernels;
	int64_t *device_ns; /* by use: of all calls, with those parts */
	bool *part;         /* by use: it is such a part, whose parent counts */
	bool launched;      /* the dump is of a device: it has device times */
	bool counted;       /* it has kernels: what has none only copied between host and device */
	bool ordered;       /* it has the order of a step */
};

/* assumed: enum dtype of tensors whose type is not recorded, one or 0. Everything in *ret lives in arena. */
void calls_gather(struct arena *arena, const struct profile *profile, unsigned assumed, struct calls *ret);

/* Returns whether the use worked on the device of the dump. */
static inline bool calls_work(const struct calls *calls, size_t use)
{
	return calls->device_ns[use] > 0 && (!calls->counted || calls->kernels[use] > 0);
}

/* Walks the order of each stream. enter gets each operator and the one around it, NO_USE: none; it returns the one
   around the operators inside. */
typedef uint32_t calls_enter(void *ctx, uint32_t use, uint32_t around);
void calls_walk(const struct profile *profile, calls_enter *enter, void *ctx);
