#pragma once
/* The sizes of the dimensions that change, before they are planned. */
#include "assess/model/operators.h"

/* Sizes at one place of one operator, before they are planned. */
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

struct bucket_source {
	const struct operators *operators;
	const struct result_dynamic *dynamic; /* of each */
	struct bucket_sizes *items;
	size_t count, capacity; /* on the heap */
};

/* Finds the sizes at the places that dynamic[i] of operators->items[i] lists, and sets steps and calls of those. */
void buckets_gather(const struct profile *profile, const struct operators *operators, struct result_dynamic *dynamic,
	struct bucket_source *ret);

void bucket_source_clear(struct bucket_source *source);
