#pragma once
/* The cost of a kernel of CANN, whose outputs are recorded. */
#include "assess/estimate/call_cost.h"

/* A row of kernel_details.csv; cells as they stand there: "MatMulV3", "4,12;32,32", "FLOAT16;DT_BF16". */
struct cann_kernel {
	struct str type, inputs, input_types, outputs, output_types;
};

/* scratch is used and given back. */
struct call_cost kernel_cost_of(struct arena *scratch, const struct cann_kernel *kernel);
