#include <stdlib.h>

#include "assess/shape/buckets.h"
#include "base/mem.h"
#include "op/shape.h"

/* Shapes that are alike past this number are hardly layers, and comparing each with each would take too long. */
enum { MOST_PARTED = 256 };

/* A set of shapes of an operator that is not there in every step. */
struct moving {
	struct str key; /* its sizes with those of changing places left out */
	struct shape shape;
	const struct profile_use *use;
};

struct moving_list {
	struct moving *items;
	size_t count, capacity;
};

/* One operator under way. */
struct bucket_gathering {
	struct arena scratch;
	const struct profile_use *uses;
	const struct profile_stream *streams;
	uint32_t op;
	struct result_dynamic *dynamic;
	struct moving_list moving;
	struct bucket_source *ret;
};

static bool is_changing_place(const struct result_dynamic *dynamic, const struct shape_size *size)
{
	for (size_t i = 0; i < dynamic->dim_count; i++) {
		const struct result_dim *dim = &dynamic->dims[i];

		if (dim->argument == size->argument && dim->tensor == size->tensor && dim->dim == size->dim)
			return true;
	}
	return false;
}

static struct str key_of(struct bucket_gathering *gather, const struct shape *shape)
{
	CLEANUP(buf_clear) struct buf key = BUF_UNLIMITED;

	for (size_t i = 0; i < shape->count; i++) {
		const struct shape_size *size = &shape->sizes[i];

		buf_printf(&key, "%u.%u.%u ", size->argument, size->tensor, size->dim);
		if (!is_changing_place(gather->dynamic, size))
			buf_printf(&key, "%lld ", (long long)size->size);
	}
	return arena_keep(&gather->scratch, buf_str(&key));
}

/* Whether a use is there from the second step to the last. */
static bool is_always_there(const struct bucket_gathering *gather, const struct profile_use *use)
{
	const struct step_runs *runs = &use->steps;

	return runs->count == 1 && runs->items[0].first <= 2 &&
	       runs->items[0].last >= gather->streams[use->stream].steps;
}

static int by_key(const void *left, const void *right)
{
	const struct moving *a = left, *b = right;
	int order = str_cmp(a->key, b->key);

	return order ? order : (a->use > b->use) - (a->use < b->use);
}

static void find_moving(struct bucket_gathering *gather, const struct op *op)
{
	gather->moving.count = 0;
	for (size_t i = 0; i < op->use_count; i++) {
		struct moving moving = { .use = &gather->uses[op->uses[i]] };

		if (!moving.use->calls || !moving.use->shapes.len || moving.use->shapes_cut ||
			is_always_there(gather, moving.use) ||
			!shape_parse(&gather->scratch, moving.use->shapes, &moving.shape))
			continue;
		moving.key = key_of(gather, &moving.shape);
		MEM_PUSH(&gather->moving, moving);
	}
	if (gather->moving.count)
		qsort(gather->moving.items, gather->moving.count, sizeof(gather->moving.items[0]), by_key);
}

/* --- how many steps */

struct stream_run {
	uint32_t stream, first, last;
};

struct run_list {
	struct stream_run *items;
	size_t count, capacity;
};

static int by_stream_and_step(const void *left, const void *right)
{
	const struct stream_run *a = left, *b = right;

	if (a->stream != b->stream)
		return a->stream < b->stream ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

/* How many steps the runs cover, those of each stream counted apart. */
static uint64_t steps_of(struct run_list *runs)
{
	uint64_t steps = 0;
	uint32_t stream = UINT32_MAX, up_to = 0;

	if (runs->count)
		qsort(runs->items, runs->count, sizeof(runs->items[0]), by_stream_and_step);
	for (size_t i = 0; i < runs->count; i++) {
		const struct stream_run *run = &runs->items[i];

		if (run->stream != stream)
			up_to = 0;
		stream = run->stream;
		if (run->last > up_to)
			steps += run->last - (run->first > up_to ? run->first - 1 : up_to);
		up_to = run->last > up_to ? run->last : up_to;
	}
	return steps;
}

static void add_runs(struct run_list *runs, const struct moving *moving, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct step_runs *steps = &moving[i].use->steps;

		for (size_t j = 0; j < steps->count; j++) {
			struct stream_run run = { moving[i].use->stream, steps->items[j].first, steps->items[j].last };

			MEM_PUSH(runs, run);
		}
	}
}

/* --- shapes of different layers */

static size_t place_in(const struct shape *shape, const struct result_dim *dim)
{
	for (size_t i = 0; i < shape->count; i++) {
		const struct shape_size *size = &shape->sizes[i];

		if (size->argument == dim->argument && size->tensor == dim->tensor && size->dim == dim->dim)
			return i;
	}
	return SIZE_MAX;
}

static uint64_t steps_with(const struct moving *moving, size_t count, size_t place, int64_t size)
{
	struct run_list runs = { 0 };
	uint64_t steps;

	for (size_t i = 0; i < count; i++) {
		if (moving[i].shape.sizes[place].size == size)
			add_runs(&runs, &moving[i], 1);
	}
	steps = steps_of(&runs);
	free(runs.items);
	return steps;
}

static uint64_t steps_of_group(const struct moving *moving, size_t count)
{
	struct run_list runs = { 0 };
	uint64_t steps;

	add_runs(&runs, moving, count);
	steps = steps_of(&runs);
	free(runs.items);
	return steps;
}

/* The key with the sizes that other layers have in every step: they only stand where another one changes. */
static struct str refined_key(struct bucket_gathering *gather, const struct moving *group, size_t count,
	const struct moving *moving, uint64_t steps)
{
	CLEANUP(buf_clear) struct buf key = BUF_UNLIMITED;

	buf_add(&key, moving->key);
	for (size_t i = 0; i < gather->dynamic->dim_count; i++) {
		size_t place = place_in(&moving->shape, &gather->dynamic->dims[i]);
		int64_t size = place == SIZE_MAX ? 0 : moving->shape.sizes[place].size;

		if (place != SIZE_MAX && steps_with(group, count, place, size) == steps)
			buf_printf(&key, "%zu=%lld ", place, (long long)size);
	}
	return arena_keep(&gather->scratch, buf_str(&key));
}

static size_t group_end(const struct bucket_gathering *gather, size_t first)
{
	size_t end = first + 1;

	while (end < gather->moving.count && str_eq(gather->moving.items[first].key, gather->moving.items[end].key))
		end++;
	return end;
}

/* Takes layers apart that have the same changing places, but of which one has a fixed size where another one changes.
   */
static void part_layers(struct bucket_gathering *gather)
{
	struct str *keys = arena_alloc(&gather->scratch, (gather->moving.count + 1) * sizeof(keys[0]));
	size_t end;

	for (size_t first = 0; first < gather->moving.count; first = end) {
		struct moving *group = &gather->moving.items[first];
		uint64_t steps;

		end = group_end(gather, first);
		steps = steps_of_group(group, end - first);
		for (size_t i = first; i < end; i++)
			keys[i] = end - first > MOST_PARTED
					  ? group->key
					  : refined_key(gather, group, end - first, &gather->moving.items[i], steps);
	}
	for (size_t i = 0; i < gather->moving.count; i++)
		gather->moving.items[i].key = keys[i];
	if (gather->moving.count)
		qsort(gather->moving.items, gather->moving.count, sizeof(gather->moving.items[0]), by_key);
}

/* --- the sizes at one place in shapes that are alike */

static int by_size(const void *left, const void *right)
{
	const struct bucket_size *a = left, *b = right;

	return (a->size > b->size) - (a->size < b->size);
}

static size_t join_equal(struct bucket_size *sizes, size_t count)
{
	size_t kept = 0;

	qsort(sizes, count, sizeof(sizes[0]), by_size);
	for (size_t i = 0; i < count; i++) {
		if (kept && sizes[kept - 1].size == sizes[i].size)
			sizes[kept - 1].calls += sizes[i].calls;
		else
			sizes[kept++] = sizes[i];
	}
	return kept;
}

/* The sizes at a place over shapes that are alike; false when there is one only. */
static bool sizes_at(const struct moving *moving, size_t count, size_t place, struct bucket_sizes *ret)
{
	ret->items = mem_resize(NULL, count, sizeof(ret->items[0]));
	for (size_t i = 0; i < count; i++)
		ret->items[i] = (struct bucket_size){ moving[i].shape.sizes[place].size, moving[i].use->calls };
	ret->count = join_equal(ret->items, count);
	if (ret->count > 1)
		return true;
	free(ret->items);
	return false;
}

/* The shapes that are alike: moving.items[first] to before end. */
struct alike {
	uint32_t number;
	size_t first, end;
};

static void add_alike(
	struct bucket_gathering *gather, struct result_dim *dim, const struct alike *alike, struct run_list *dim_runs)
{
	const struct moving *moving = &gather->moving.items[alike->first];
	size_t count = alike->end - alike->first;
	struct bucket_sizes sizes = { .op = gather->op,
		.group = alike->number,
		.argument = dim->argument,
		.tensor = dim->tensor,
		.dim = dim->dim };
	size_t place = place_in(&moving->shape, dim);

	if (place == SIZE_MAX || !sizes_at(moving, count, place, &sizes))
		return;
	for (size_t i = 0; i < sizes.count; i++)
		dim->calls += sizes.items[i].calls;
	add_runs(dim_runs, moving, count);
	sizes.steps = steps_of_group(moving, count);
	MEM_PUSH(gather->ret, sizes);
}

static void add_dim(struct bucket_gathering *gather, struct result_dim *dim)
{
	struct run_list runs = { 0 };

	for (struct alike alike = { 0 }; alike.first < gather->moving.count; alike.first = alike.end, alike.number++) {
		alike.end = group_end(gather, alike.first);
		add_alike(gather, dim, &alike, &runs);
	}
	dim->steps = steps_of(&runs);
	free(runs.items);
}

void buckets_gather(const struct profile *profile, const struct operators *operators, struct result_dynamic *dynamic,
	struct bucket_source *ret)
{
	size_t count;
	struct bucket_gathering gather = { .scratch = ARENA_INIT(ARENA_UNLIMITED),
		.uses = profile_uses(profile, &count),
		.streams = profile_streams(profile, &count),
		.ret = ret };

	ret->operators = operators;
	ret->dynamic = dynamic;
	for (size_t i = 0; i < operators->count; i++) {
		if (!dynamic[i].dim_count)
			continue;
		gather.op = (uint32_t)i;
		gather.dynamic = &dynamic[i];
		find_moving(&gather, &operators->items[i]);
		part_layers(&gather);
		for (size_t j = 0; j < dynamic[i].dim_count; j++)
			add_dim(&gather, &dynamic[i].dims[j]);
		arena_clear(&gather.scratch);
	}
	free(gather.moving.items);
}

void bucket_source_clear(struct bucket_source *source)
{
	for (size_t i = 0; i < source->count; i++)
		free(source->items[i].items);
	free(source->items);
	*source = (struct bucket_source){ 0 };
}
