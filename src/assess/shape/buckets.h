#pragma once
/*
 * Sizes to pad a changing dimension to, so that few shapes occur and few elements are wasted.
 *
 * A dimension is a place of an operator's arguments whose size differs between shapes that are alike elsewhere and of
 * which none occurs in every step; a size that does is taken for that of another layer. Places with the same set of
 * sizes are taken for one dimension of the program, a batch or a sequence, and planned once; of several such places
 * in one call the first counts.
 */
#include "assess/model/operators.h"
#include "assess/model/result_buckets.h"
#include "base/setup/limits.h"

struct bucket_source;

enum { BUCKET_PLANS = 4, MOST_BUCKETS = 16 };

/* Sizes that occur; those of one entry are padded alike. */
struct bucket_value {
	int64_t size;               /* the largest of them */
	uint64_t calls;             /* with one of them */
	unsigned __int128 elements; /* size times calls, summed over them */
};

/* At most `most` sizes to pad to. */
struct bucket_plan {
	unsigned most;
	int64_t sizes[MOST_BUCKETS]; /* ascending; the last is the largest that occurs */
	size_t count;
	int64_t waste_ppm; /* padding among the elements that are there after padding */
};

struct bucket_dim {
	enum dynamic_kind kind; /* the worst of its places; data-dependent if nothing else changes */
	int64_t min, max;
	uint64_t distinct, steps, calls;
	struct bucket_value *values; /* ascending, at most limits.bucket_values */
	size_t value_count;
	struct bucket_place *places; /* by name, then by place */
	size_t place_count;
	struct bucket_plan plans[BUCKET_PLANS]; /* 2, 4, 8 and 16 sizes */
	/* its sizes are so many times those of the dimension it follows: batch x sequence; 0: of none */
	int64_t factor;
	size_t follows; /* position in the list */
};

struct bucket_list {
	struct bucket_dim *items; /* most calls first */
	size_t count;
	size_t left_out; /* dimensions past limits.bucket_dims */
};

/* Fills *ret with the plan that wastes least, exactly: dynamic programming over ascending values in O(count * count *
   most). There is at least one value, none of them without calls; most is at most MOST_BUCKETS. */
void buckets_choose(const struct bucket_value *values, size_t count, unsigned most, struct bucket_plan *ret);

/* Plans them, by the kinds that dynamic has now. Everything in *ret lives in arena. */
void buckets_plan(
	struct arena *arena, struct bucket_source *source, const struct limits *limits, struct bucket_list *ret);

/* The first of them for a report, with every plan up to MOST_BUCKETS sizes. */
void buckets_report(
	struct arena *arena, struct bucket_source *source, const struct limits *limits, struct result_buckets *ret);
