#pragma once
/* What was gathered of one place, between finding sizes and planning them. */
#include "assess/shape/buckets.h"

struct bucket_sizes {
	uint32_t op;    /* position in the operators */
	uint32_t group; /* of the operator's shapes that are alike but for what changes */
	uint32_t argument, tensor, dim;
	uint64_t steps;
	struct bucket_size {
		int64_t size;
		uint64_t calls;
	} * items; /* ascending, on the heap */
	size_t count;
};
