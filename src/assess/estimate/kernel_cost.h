#pragma once
/* The work of a kernel of CANN, whose inputs and outputs its table shows. The formulas are those of call_cost.h. */
#include "assess/estimate/call_cost.h"

/* A row of kernel_details.csv; cells as they stand there: "4,12;32,32", "FLOAT16;DT_BF16". */
struct cann_kernel {
	struct str type; /* "MatMulV3" */
	struct str inputs, input_types, outputs, output_types;
};

/* scratch is used and given back. */
struct call_cost kernel_cost_of(struct arena *scratch, const struct cann_kernel *kernel);
