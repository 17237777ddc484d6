#pragma once
/*
 * The work of one call: FLOPs, and bytes that cross the memory of the device, from shapes and types alone.
 *
 * FLOPs as torch.utils.flop_counter counts them; bytes are inputs and the output, which shapes imply unless it is
 * recorded. Both are at most COST_MOST; what is larger, negative, or does not fit together has no cost.
 */
#include "base/memory/arena.h"
#include "opdb/model/timing.h"

/* The reason why a call has no cost. */
enum cost_lack {
	COST_KNOWN,
	COST_NO_SHAPES,  /* none recorded, or cut */
	COST_NO_FORMULA, /* an operator outside of aten, or arguments that no formula takes */
	COST_NO_TYPE,    /* a type that is unknown */
	COST_UNFIT,      /* shapes that do not fit together */
	COST_NO_OUTPUT,  /* the size of the result is neither recorded nor implied */
	COST_TOO_LARGE,
	COST_NO_PEAK, /* the chip has no figure for the type */
	COST_LACKS,
};

#define COST_MOST 1e18

struct call_cost {
	enum work_class class;
	enum cost_lack lack;
	enum peak peak;
	bool typed; /* types were recorded or given: else all count as fp32 */
	double flops, bytes;
};

/* A call as recorded, in the form of struct profile_use. */
struct cost_call {
	struct work work; /* of its name */
	struct str shapes, dtypes, concrete;
	struct str outputs, output_types; /* of a kernel; "": not recorded */
	struct str next;  /* shapes behind a convolution, whose first tensor may be its output; "": unknown */
	unsigned assumed; /* enum dtype of all tensors where dtypes is "": one type, or 0 */
};

/* A kernel of CANN, a row of kernel_details.csv; cells as they stand there: "MatMulV3", "4,12;32,32",
   "FLOAT16;DT_BF16". */
struct cann_kernel {
	struct str type, inputs, input_types, outputs, output_types;
};

/* scratch is used and given back. */
struct call_cost call_cost_of(struct arena *scratch, const struct cost_call *call);
struct call_cost kernel_cost_of(struct arena *scratch, const struct cann_kernel *kernel);
