#include "assess/shape/buckets.h"

#include <stdlib.h>

#include "assess/shape/buckets_gather.h"
#include "base/memory/mem.h"

/* --- choosing, exactly */

typedef unsigned __int128 elements;

/* Sums over the values before a place, so that the cost of a run of them is known at once. */
struct sums {
	const struct bucket_value *values;
	elements *calls, *elements;
	size_t count;
};

static struct sums sums_of(const struct bucket_value *values, size_t count)
{
	size_t bytes = (count + 1) * sizeof(elements);
	struct sums sums = { values, mem_zalloc(bytes), mem_zalloc(bytes), count };

	for (size_t i = 0; i < count; i++) {
		sums.calls[i + 1] = sums.calls[i] + values[i].calls;
		sums.elements[i + 1] = sums.elements[i] + values[i].elements;
	}
	return sums;
}

/* The waste of padding values[from..to) to the last of them. */
static elements cost(const struct sums *sums, size_t from, size_t to)
{
	elements calls = sums->calls[to] - sums->calls[from];

	return calls * (elements)sums->values[to - 1].size - (sums->elements[to] - sums->elements[from]);
}

/* One more bucket: least[to] over the first `to` values, from[to] where its last bucket begins. Of equals the first. */
static void add_bucket(const struct sums *sums, const elements *before, elements *least, uint32_t *from)
{
	for (size_t to = 1; to <= sums->count; to++) {
		least[to] = before[to];
		from[to] = (uint32_t)to; /* no value: one bucket less does it */
		for (size_t at = 0; at < to; at++) {
			elements wasted = before[at] + cost(sums, at, to);

			if (wasted < least[to]) {
				least[to] = wasted;
				from[to] = (uint32_t)at;
			}
		}
	}
}

static int64_t waste_ppm(elements wasted, elements real)
{
	elements padded = wasted + real;

	/* shifted down where a product with a million would not fit; what is lost is far below a millionth */
	while (padded >> 100) {
		padded >>= 1;
		wasted >>= 1;
	}
	return padded ? (int64_t)((wasted * 1000000 + padded / 2) / padded) : 0;
}

/* The least waste of the first `to` values in at most `used` buckets, for all of both. */
struct table {
	struct sums sums;
	elements *least; /* [used][to] */
	uint32_t *from;  /* [used][to]: where the last bucket begins; `to` itself when one bucket less does it */
	size_t row;
};

static struct table table_make(const struct bucket_value *values, size_t count, unsigned most)
{
	struct table table = { .sums = sums_of(values, count), .row = count + 1 };
	size_t row = table.row;

	table.least = mem_zalloc((most + 1) * row * sizeof(table.least[0]));
	table.from = mem_zalloc((most + 1) * row * sizeof(table.from[0]));
	for (size_t to = 1; to <= count; to++)
		table.least[to] = ~(elements)0 >>
				  1; /* without a bucket nothing can be padded; sums with it do not overflow */
	for (unsigned used = 1; used <= most; used++)
		add_bucket(
			&table.sums, table.least + (used - 1) * row, table.least + used * row, table.from + used * row);
	return table;
}

static void table_clear(struct table *table)
{
	free(table->least);
	free(table->from);
	free(table->sums.calls);
	free(table->sums.elements);
}

/* The sizes that the table leads to, from the largest back to the smallest. */
static void take_plan(const struct table *table, unsigned most, struct bucket_plan *ret)
{
	const struct sums *sums = &table->sums;
	int64_t sizes[MOST_BUCKETS];
	size_t count = 0, to = sums->count;

	*ret = (struct bucket_plan){ .most = most };
	for (unsigned used = most; used > 0 && to > 0; used--) {
		size_t at = table->from[used * table->row + to];

		if (at == to)
			continue;
		sizes[count++] = sums->values[to - 1].size;
		to = at;
	}
	ret->count = count;
	for (size_t i = 0; i < count; i++)
		ret->sizes[i] = sizes[count - 1 - i];
	ret->waste_ppm = waste_ppm(table->least[most * table->row + sums->count], sums->elements[sums->count]);
}

void buckets_choose(const struct bucket_value *values, size_t count, unsigned most, struct bucket_plan *ret)
{
	struct table table = table_make(values, count, most);

	take_plan(&table, most, ret);
	table_clear(&table);
}

/* --- places that belong together */

static int cmp_sets(const struct bucket_sizes *a, const struct bucket_sizes *b)
{
	int order = ORDER(a->count, b->count);

	for (size_t i = 0; i < a->count && !order; i++)
		order = ORDER(a->items[i].size, b->items[i].size);
	return order;
}

static int by_set_and_place(const void *left, const void *right, void *ctx)
{
	const struct operators *operators = ctx;
	const struct bucket_sizes *a = left, *b = right;

	return cmp_sets(a, b) ?:
	       str_cmp(operators->items[a->op].name, operators->items[b->op].name) ?:
	       ORDER(a->group, b->group) ?:
	       ORDER(a->argument, b->argument) ?:
	       ORDER(a->tensor, b->tensor) ?:
	       ORDER(a->dim, b->dim);
}

/* Data-dependent alone when nothing else changes with it. */
static unsigned weight_of(enum dynamic_kind kind)
{
	return kind == DYNAMIC_DATA_DEPENDENT ? DYNAMIC_UNKNOWN : kind;
}

static void add_place(struct bucket_dim *dim, const struct bucket_sizes *sizes, struct str name, enum dynamic_kind kind)
{
	struct bucket_place place = { name, kind, sizes->argument, sizes->tensor, sizes->dim };

	if (weight_of(kind) > weight_of(dim->kind))
		dim->kind = kind;
	for (size_t i = 0; i < dim->place_count; i++) {
		const struct bucket_place *there = &dim->places[i];

		if (str_eq(there->operator_name, name) && there->argument == place.argument &&
			there->tensor == place.tensor && there->dim == place.dim)
			return;
	}
	dim->places[dim->place_count++] = place;
}

static void add_calls(struct bucket_dim *dim, const struct bucket_sizes *sizes)
{
	for (size_t i = 0; i < sizes->count; i++) {
		dim->values[i].size = sizes->items[i].size;
		dim->values[i].calls += sizes->items[i].calls;
		dim->calls += sizes->items[i].calls;
	}
	if (sizes->steps > dim->steps)
		dim->steps = sizes->steps;
}

static int by_place(const void *a, const void *b)
{
	const struct bucket_place *left = a, *right = b;

	return str_cmp(left->operator_name, right->operator_name) ?:
	       ORDER(left->argument, right->argument) ?:
	       ORDER(left->tensor, right->tensor) ?:
	       ORDER(left->dim, right->dim);
}

/* One dimension of all entries from first to before end, which have one set of sizes. */
static struct bucket_dim join_places(
	struct arena *arena, const struct bucket_source *source, size_t first_at, size_t end_at)
{
	const struct bucket_sizes *first = &source->items[first_at], *end = &source->items[end_at];
	struct bucket_dim dim = { .kind = DYNAMIC_STATIC,
		.distinct = first->count,
		.value_count = first->count,
		.min = first->items[0].size,
		.max = first->items[first->count - 1].size };

	dim.values = arena_alloc(arena, first->count * sizeof(dim.values[0]));
	dim.places = arena_alloc(arena, (size_t)(end - first) * sizeof(dim.places[0]));
	for (const struct bucket_sizes *at = first; at < end; at++) {
		if (at == first || at->op != at[-1].op || at->group != at[-1].group)
			add_calls(&dim, at);
		add_place(&dim, at, arena_keep(arena, source->operators->items[at->op].name),
			source->dynamic[at->op].kind);
	}
	qsort(dim.places, dim.place_count, sizeof(dim.places[0]), by_place);
	return dim;
}

/* --- plans */

/* Joins neighbours until at most `most` values are left: of each run the largest stays. */
static void coarsen(struct bucket_dim *dim, size_t most)
{
	size_t kept = dim->value_count < most ? dim->value_count : most;

	for (size_t i = 0; i < kept; i++) {
		size_t from = i * dim->value_count / kept, to = (i + 1) * dim->value_count / kept;
		struct bucket_value joined = { .size = dim->values[to - 1].size };

		for (size_t at = from; at < to; at++) {
			joined.calls += dim->values[at].calls;
			joined.elements += (elements)dim->values[at].size * dim->values[at].calls;
		}
		dim->values[i] = joined;
	}
	dim->value_count = kept;
}

/* The constant ratio of a dimension's sizes to another's; 0 unless it is a whole number above 1. */
static int64_t multiple_of(const struct bucket_dim *dim, const struct bucket_dim *other)
{
	int64_t factor = other->min > 0 ? dim->min / other->min : 0;

	if (factor < 2 || dim->value_count != dim->distinct || other->value_count != dim->distinct)
		return 0;
	for (size_t i = 0; i < dim->value_count; i++) {
		if (dim->values[i].size % factor || dim->values[i].size / factor != other->values[i].size)
			return 0;
	}
	return factor;
}

/* A flattened dimension follows the one that it is made of: the smallest such, and of equals the first. */
static void relate_dims(struct bucket_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct bucket_dim *dim = &list->items[i];

		for (size_t j = 0; j < list->count; j++) {
			int64_t factor = multiple_of(dim, &list->items[j]);

			if (factor <= dim->factor)
				continue;
			dim->factor = factor;
			dim->follows = j;
		}
	}
}

static int by_calls(const void *a, const void *b)
{
	const struct bucket_dim *left = a, *right = b;
	int order = ORDER(right->calls, left->calls) ?:
		    ORDER(left->min, right->min) ?:
		    ORDER(left->max, right->max) ?:
		    str_cmp(left->places[0].operator_name, right->places[0].operator_name);

	for (size_t i = 0; !order && i < left->value_count && i < right->value_count; i++)
		order = ORDER(left->values[i].size, right->values[i].size);
	return order;
}

/* All dimensions, with the sizes that are kept apart, before they are planned. */
static void list_dims(
	struct arena *arena, struct bucket_source *source, const struct limits *limits, struct bucket_list *ret)
{
	size_t end;

	*ret = (struct bucket_list){ .items = arena_alloc(arena, (source->count + 1) * sizeof(ret->items[0])) };
	if (source->count)
		qsort_r(source->items, source->count, sizeof(source->items[0]), by_set_and_place,
			(void *)(uintptr_t)source->operators);
	for (size_t first = 0; first < source->count; first = end) {
		for (end = first + 1; end < source->count && !cmp_sets(&source->items[first], &source->items[end]);)
			end++;
		ret->items[ret->count++] = join_places(arena, source, first, end);
	}
	if (ret->count)
		qsort(ret->items, ret->count, sizeof(ret->items[0]), by_calls);
	if (ret->count > limits->bucket_dims) {
		ret->left_out = ret->count - (size_t)limits->bucket_dims;
		ret->count = (size_t)limits->bucket_dims;
	}
	for (size_t i = 0; i < ret->count; i++)
		coarsen(&ret->items[i], (size_t)limits->bucket_values);
	relate_dims(ret);
}

void buckets_plan(
	struct arena *arena, struct bucket_source *source, const struct limits *limits, struct bucket_list *ret)
{
	list_dims(arena, source, limits, ret);
	for (size_t i = 0; i < ret->count; i++) {
		struct bucket_dim *dim = &ret->items[i];
		struct table table = table_make(dim->values, dim->value_count, MOST_BUCKETS);

		for (size_t plan = 0; plan < BUCKET_PLANS; plan++)
			take_plan(&table, 2u << plan, &dim->plans[plan]);
		table_clear(&table);
	}
}

/* --- what a report has of them */

/* For each number of sizes, until one more brings nothing. */
static void report_plans(struct arena *arena, const struct bucket_dim *dim, struct result_padded *ret)
{
	struct table table = table_make(dim->values, dim->value_count, MOST_BUCKETS);

	ret->plans = arena_alloc(arena, MOST_BUCKETS * sizeof(ret->plans[0]));
	for (unsigned k = 1; k <= MOST_BUCKETS; k++) {
		struct bucket_plan plan;
		struct result_padding *padding = &ret->plans[ret->plan_count];

		take_plan(&table, k, &plan);
		if (plan.count < k)
			break;
		*padding = (struct result_padding){ .k = k, .waste_ppm = plan.waste_ppm, .size_count = plan.count };
		padding->sizes = arena_alloc(arena, plan.count * sizeof(padding->sizes[0]));
		memcpy(padding->sizes, plan.sizes, plan.count * sizeof(padding->sizes[0]));
		ret->plan_count++;
	}
	table_clear(&table);
}

static void report_dim(struct arena *arena, const struct bucket_dim *dim, struct result_padded *ret)
{
	*ret = (struct result_padded){ .kind = dim->kind,
		.min = dim->min,
		.max = dim->max,
		.distinct = dim->distinct,
		.steps = dim->steps,
		.calls = dim->calls,
		.size_count = dim->value_count,
		.place_count = dim->place_count < PADDED_PLACES ? dim->place_count : PADDED_PLACES,
		.place_total = dim->place_count };
	ret->sizes = arena_alloc(arena, (dim->value_count + 1) * sizeof(ret->sizes[0]));
	for (size_t i = 0; i < dim->value_count; i++)
		ret->sizes[i] = (struct result_size){ dim->values[i].size, dim->values[i].calls };
	ret->places = arena_alloc(arena, PADDED_PLACES * sizeof(ret->places[0]));
	for (size_t i = 0; i < ret->place_count; i++) {
		ret->places[i] = dim->places[i];
		ret->places[i].operator_name = arena_keep(arena, dim->places[i].operator_name);
	}
	report_plans(arena, dim, ret);
}

void buckets_report(
	struct arena *arena, struct bucket_source *source, const struct limits *limits, struct result_buckets *ret)
{
	struct arena scratch = ARENA_INIT(ARENA_UNLIMITED); /* bounded as the source is */
	struct bucket_list list;

	list_dims(&scratch, source, limits, &list);
	*ret = (struct result_buckets){ .items = arena_alloc(arena, PADDED_DIMS * sizeof(ret->items[0])) };
	for (size_t i = 0; i < list.count; i++) {
		if (list.items[i].factor)
			continue; /* who pads the dimension that it is made of pads this one */
		if (ret->count < PADDED_DIMS)
			report_dim(arena, &list.items[i], &ret->items[ret->count++]);
		else
			ret->left_out++;
	}
	ret->left_out += list.left_out;
	arena_clear(&scratch);
}
