#pragma once
/* The sizes of the dimensions that change, and what to pad them to. See result.h. */
#include "assess/model/result_shape.h"

/* A place of an operator's arguments. */
struct bucket_place {
	struct str operator_name;
	enum dynamic_kind kind;
	uint32_t argument, tensor, dim;
};

/* With `k` sizes at most: those, ascending, and the share of padding among the elements that are there then. */
struct result_padding {
	uint32_t k;
	int64_t waste_ppm;
	int64_t *sizes;
	size_t size_count;
};

enum { PADDED_DIMS = 4, PADDED_PLACES = 8 };

/* A dimension of the program: a batch, a sequence. */
struct result_padded {
	enum dynamic_kind kind;
	int64_t min, max;
	uint64_t distinct, steps, calls;
	struct result_size {
		int64_t size;
		uint64_t calls;
	} * sizes; /* ascending; fewer than distinct: neighbours are joined */
	size_t size_count;
	struct result_padding *plans; /* for k from 1 on, until nothing is wasted */
	size_t plan_count;
	struct bucket_place *places; /* some of them */
	size_t place_count;
	uint64_t place_total;
};

/* Most calls first, without those whose sizes are multiples of another's. */
struct result_buckets {
	struct result_padded *items;
	size_t count;
	uint64_t left_out; /* further ones */
};
