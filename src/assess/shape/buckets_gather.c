#include "assess/shape/buckets_gather.h"

#include <assert.h>
#include <stdlib.h>

#include "assess/shape/dynamic.h"
#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "op/shape.h"

/* Shapes that are alike past this number are hardly layers, and comparing each with each would take too long. */
enum { MOST_PARTED = 256 };

/* A set of shapes of an operator that is not there in every step. */
struct moving {
	uint64_t key; /* of its places, and of the sizes at those that do not change; equal for shapes that are alike */
	struct shape shape;
	const struct profile_use *use;
};

struct moving_list {
	struct moving *items;
	size_t count, capacity;
};

struct stream_run {
	uint32_t stream, first, last;
};

struct run_list {
	struct stream_run *items;
	size_t count, capacity;
	size_t joined; /* how many there were when they were joined last */
};

/* Shapes that are alike: moving.items[first] to before end. */
struct alike {
	uint64_t key;
	size_t first, end;
};

/* One operator under way. */
struct bucket_gathering {
	struct arena scratch;
	const struct profile *profile;
	const struct profile_use *uses;
	const struct profile_stream *streams;
	uint32_t op;
	struct result_dynamic *dynamic;
	struct moving_list moving, unordered;
	MEM_LIST(struct alike) groups;
	struct map groups_by_key;
	struct run_list runs; /* of one group */
	size_t *steps_before; /* steps of the streams before each one, and of all */
	uint32_t *last_from;  /* [stream and step]: the last step of the longest run from there; 0 between two uses */
	struct bucket_source *ret;
};

static uint64_t key_with(uint64_t key, uint64_t value)
{
	return hash_mix(key ^ 0x9e3779b97f4a7c15u, value ^ 0xd6e8feb86659fd93u);
}

static uint64_t key_of(const struct result_dynamic *dynamic, const struct shape *shape)
{
	uint64_t key = hash_seed();

	for (size_t i = 0; i < shape->count; i++) {
		const struct shape_size *size = &shape->sizes[i];
		bool changes = dynamic_changes_at(dynamic, size);

		key = key_with(key, (uint64_t)size->argument << 33 | (uint64_t)size->tensor << 17 |
					    (uint64_t)size->dim << 1 | changes);
		if (!changes)
			key = key_with(key, (uint64_t)size->size);
	}
	return key;
}

/* Returns whether a use occurs from the second step to the last. */
static bool is_always_there(const struct bucket_gathering *gather, const struct profile_use *use)
{
	const struct step_run *run = step_runs_items(&use->steps);

	return use->steps.count == 1 && run->first <= 2 && run->last >= gather->streams[use->stream].steps;
}

static void find_moving(struct bucket_gathering *gather, const struct op *op)
{
	gather->moving.count = 0;
	for (size_t i = 0; i < op->use_count; i++) {
		struct moving moving = { .use = &gather->uses[op->uses[i]] };

		op_fetch_ahead(op, gather->uses, i);
		if (!moving.use->calls || !moving.use->shapes.len || moving.use->shapes_cut ||
			is_always_there(gather, moving.use) ||
			!shape_parse(&gather->scratch, moving.use->shapes, &moving.shape))
			continue;
		moving.key = key_of(gather->dynamic, &moving.shape);
		MEM_PUSH(&gather->moving, moving);
	}
}

/* --- groups */

static struct alike *group_of(struct bucket_gathering *gather, uint64_t key)
{
	struct map_cursor at = map_start(&gather->groups_by_key, key);

	while (map_next(&gather->groups_by_key, &at)) {
		if (gather->groups.items[at.index].key == key)
			return &gather->groups.items[at.index];
	}
	map_add(&gather->groups_by_key, key, (uint32_t)gather->groups.count);
	MEM_PUSH(&gather->groups, ((struct alike){ .key = key }));
	return &gather->groups.items[gather->groups.count - 1];
}

/* Moves shapes that are alike together, by counting. */
static void group_moving(struct bucket_gathering *gather)
{
	struct moving_list from = gather->moving;
	size_t end = 0;

	gather->groups.count = 0;
	map_clear(&gather->groups_by_key);
	gather->moving = gather->unordered;
	gather->moving.count = 0;
	for (size_t i = 0; i < from.count; i++) {
		group_of(gather, from.items[i].key)->end++;
		MEM_PUSH(&gather->moving, from.items[i]);
	}
	for (size_t i = 0; i < gather->groups.count; i++) {
		struct alike *group = &gather->groups.items[i];

		group->first = end;
		end += group->end;
		group->end = group->first;
	}
	for (size_t i = 0; i < from.count; i++)
		gather->moving.items[group_of(gather, from.items[i].key)->end++] = from.items[i];
	gather->unordered = from;
}

/* --- how many steps */

static int by_stream_and_step(const void *a, const void *b)
{
	const struct stream_run *left = a, *right = b;

	return ORDER(left->stream, right->stream) ?: ORDER(left->first, right->first);
}

/* Of the runs from one step the longest is left. */
static void order_by_counting(struct bucket_gathering *gather, struct run_list *runs)
{
	uint32_t *last_from = gather->last_from;
	size_t stream_count, count = runs->count;

	profile_streams(gather->profile, &stream_count);
	for (size_t i = 0; i < count; i++) {
		uint32_t *last = &last_from[gather->steps_before[runs->items[i].stream] + runs->items[i].first - 1];

		*last = *last < runs->items[i].last ? runs->items[i].last : *last;
	}
	runs->count = 0;
	for (uint32_t stream = 0; stream < stream_count; stream++) {
		size_t from = gather->steps_before[stream], to = gather->steps_before[stream + 1];

		for (size_t at = from; at < to; at++) {
			if (last_from[at])
				runs->items[runs->count++] = (struct stream_run){ stream, (uint32_t)(at - from) + 1,
					last_from[at] };
			last_from[at] = 0;
		}
	}
}

/* Counting is faster where runs are many. */
static void order_runs(struct bucket_gathering *gather, struct run_list *runs)
{
	enum { MANY = 16 };
	size_t stream_count, i = 1;

	profile_streams(gather->profile, &stream_count);
	while (i < runs->count && by_stream_and_step(&runs->items[i - 1], &runs->items[i]) <= 0)
		i++;
	if (i >= runs->count)
		return;
	if (runs->count >= gather->steps_before[stream_count] / MANY)
		order_by_counting(gather, runs);
	else
		qsort(runs->items, runs->count, sizeof(runs->items[0]), by_stream_and_step);
}

/* Joins runs that overlap or meet; how many steps they cover, those of each stream counted apart. */
static uint64_t join_runs(struct bucket_gathering *gather, struct run_list *runs)
{
	struct stream_run *last = NULL;
	uint64_t steps = 0;
	size_t kept = 0;

	order_runs(gather, runs);
	for (size_t i = 0; i < runs->count; i++) {
		struct stream_run run = runs->items[i];

		if (!last || last->stream != run.stream || last->last + 1 < run.first) {
			last = &runs->items[kept++];
			*last = run;
			steps += run.last - run.first + 1;
		} else if (last->last < run.last) {
			steps += run.last - last->last;
			last->last = run.last;
		}
	}
	runs->count = runs->joined = kept;
	return steps;
}

/* Joins them whenever they have doubled: many may cover few steps. */
static void add_run(struct bucket_gathering *gather, struct run_list *runs, struct stream_run run)
{
	enum { FEW = 256 };

	if (runs->count >= runs->joined * 2 + FEW)
		join_runs(gather, runs);
	MEM_PUSH(runs, run);
}

static void add_runs(struct bucket_gathering *gather, const struct moving *moving)
{
	const struct step_run *steps = step_runs_items(&moving->use->steps);

	for (size_t i = 0; i < moving->use->steps.count; i++)
		add_run(gather, &gather->runs,
			(struct stream_run){ moving->use->stream, steps[i].first, steps[i].last });
}

static uint64_t steps_of_group(struct bucket_gathering *gather, const struct alike *group)
{
	gather->runs.count = 0;
	for (size_t i = group->first; i < group->end; i++)
		add_runs(gather, &gather->moving.items[i]);
	return join_runs(gather, &gather->runs);
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

/* One size at a place of a group. */
struct group_size {
	int64_t size;
	size_t at; /* in moving */
};

static int by_group_size(const void *left, const void *right)
{
	return ORDER(((const struct group_size *)left)->size, ((const struct group_size *)right)->size);
}

/* Returns whether the shapes with one size, sizes[first] to before end, cover as many steps as all. */
static bool is_in_all_steps(
	struct bucket_gathering *gather, const struct group_size *sizes, size_t first, size_t end, uint64_t steps)
{
	uint64_t most = 0;

	gather->runs.count = 0;
	for (size_t i = first; i < end; i++)
		add_runs(gather, &gather->moving.items[sizes[i].at]);
	for (size_t i = 0; i < gather->runs.count && most < steps; i++)
		most += gather->runs.items[i].last - gather->runs.items[i].first + 1;
	return most >= steps && join_runs(gather, &gather->runs) == steps;
}

/* Keys get the sizes at the place that are there in every step of the group. */
static void part_by_place(struct bucket_gathering *gather, const struct alike *group, size_t place, uint64_t steps)
{
	struct group_size sizes[MOST_PARTED];
	size_t count = group->end - group->first, end;

	assert(count > 0 && count <= MOST_PARTED);
	for (size_t i = 0; i < count; i++)
		sizes[i] = (struct group_size){ gather->moving.items[group->first + i].shape.sizes[place].size,
			group->first + i };
	qsort(sizes, count, sizeof(sizes[0]), by_group_size);
	for (size_t first = 0; first < count; first = end) {
		for (end = first + 1; end < count && sizes[end].size == sizes[first].size;)
			end++;
		if (end - first == count || !is_in_all_steps(gather, sizes, first, end, steps))
			continue;
		for (size_t i = first; i < end; i++) {
			uint64_t *key = &gather->moving.items[sizes[i].at].key;

			*key = key_with(key_with(*key, place), (uint64_t)sizes[i].size);
		}
	}
}

/* Takes layers apart that have the same changing places, but of which one has a fixed size where another one changes.
   */
static void part_layers(struct bucket_gathering *gather)
{
	for (size_t i = 0; i < gather->groups.count; i++) {
		const struct alike *group = &gather->groups.items[i];
		uint64_t steps;

		if (group->end - group->first < 2 || group->end - group->first > MOST_PARTED)
			continue;
		steps = steps_of_group(gather, group);
		for (size_t j = 0; j < gather->dynamic->dim_count; j++) {
			size_t place = place_in(&gather->moving.items[group->first].shape, &gather->dynamic->dims[j]);

			if (place != SIZE_MAX)
				part_by_place(gather, group, place, steps);
		}
	}
}

/* --- the sizes at one place in shapes that are alike */

static int by_size(const void *left, const void *right)
{
	return ORDER(((const struct bucket_size *)left)->size, ((const struct bucket_size *)right)->size);
}

/* The sizes at a place over shapes that are alike; false when there is one only. */
static bool sizes_at(const struct moving *moving, size_t count, size_t place, struct bucket_sizes *ret)
{
	size_t same = 1;

	while (same < count && moving[same].shape.sizes[place].size == moving[0].shape.sizes[place].size)
		same++;
	if (same == count)
		return false;
	ret->items = mem_resize(NULL, count, sizeof(ret->items[0]));
	for (size_t i = 0; i < count; i++)
		ret->items[i] = (struct bucket_size){ moving[i].shape.sizes[place].size, moving[i].use->calls };
	qsort(ret->items, count, sizeof(ret->items[0]), by_size);
	ret->count = 0;
	for (size_t i = 0; i < count; i++) {
		struct bucket_size size = ret->items[i];

		if (ret->count && ret->items[ret->count - 1].size == size.size)
			ret->items[ret->count - 1].calls += size.calls;
		else
			ret->items[ret->count++] = size;
	}
	ret->items = mem_resize(ret->items, ret->count, sizeof(ret->items[0]));
	return true;
}

/* False when the group has no such place, or one size there. */
static bool add_sizes(struct bucket_gathering *gather, struct result_dim *dim, size_t group_at, uint64_t steps)
{
	const struct alike *group = &gather->groups.items[group_at];
	const struct moving *moving = &gather->moving.items[group->first];
	struct bucket_sizes sizes = { .op = gather->op,
		.group = (uint32_t)group_at,
		.argument = dim->argument,
		.tensor = dim->tensor,
		.dim = dim->dim,
		.steps = steps };
	size_t place = place_in(&moving->shape, dim);

	if (place == SIZE_MAX || !sizes_at(moving, group->end - group->first, place, &sizes))
		return false;
	for (size_t i = 0; i < sizes.count; i++)
		dim->calls += sizes.items[i].calls;
	MEM_PUSH(gather->ret, sizes);
	return true;
}

/* The group's steps count for each place at which it has several sizes. */
static void add_group(struct bucket_gathering *gather, size_t group_at, struct run_list *dim_runs)
{
	const struct alike *group = &gather->groups.items[group_at];
	uint64_t steps;

	if (group->end - group->first < 2)
		return;
	steps = steps_of_group(gather, group);
	for (size_t i = 0; i < gather->dynamic->dim_count; i++) {
		if (!add_sizes(gather, &gather->dynamic->dims[i], group_at, steps))
			continue;
		for (size_t j = 0; j < gather->runs.count; j++)
			add_run(gather, &dim_runs[i], gather->runs.items[j]);
	}
}

static void gather_dims(struct bucket_gathering *gather)
{
	size_t count = gather->dynamic->dim_count;
	struct run_list *dim_runs = mem_zalloc(count * sizeof(dim_runs[0]));

	for (size_t i = 0; i < gather->groups.count; i++)
		add_group(gather, i, dim_runs);
	for (size_t i = 0; i < count; i++) {
		gather->dynamic->dims[i].steps = join_runs(gather, &dim_runs[i]);
		free(dim_runs[i].items);
	}
	free(dim_runs);
}

void buckets_gather(const struct profile *profile, const struct operators *operators, struct result_dynamic *dynamic,
	struct bucket_source *ret)
{
	size_t count, stream_count;
	struct bucket_gathering gather = { .scratch = ARENA_INIT(ARENA_UNLIMITED),
		.profile = profile,
		.uses = profile_uses(profile, &count),
		.streams = profile_streams(profile, &stream_count),
		.ret = ret };

	ret->operators = operators;
	ret->dynamic = dynamic;
	gather.steps_before = mem_zalloc((stream_count + 1) * sizeof(gather.steps_before[0]));
	for (size_t i = 0; i < stream_count; i++)
		gather.steps_before[i + 1] = gather.steps_before[i] + gather.streams[i].steps;
	gather.last_from = mem_zalloc((gather.steps_before[stream_count] + 1) * sizeof(gather.last_from[0]));
	for (size_t i = 0; i < operators->count; i++) {
		if (!dynamic[i].dim_count)
			continue;
		gather.op = (uint32_t)i;
		gather.dynamic = &dynamic[i];
		find_moving(&gather, &operators->items[i]);
		group_moving(&gather);
		part_layers(&gather);
		group_moving(&gather);
		gather_dims(&gather);
		arena_clear(&gather.scratch);
	}
	free(gather.moving.items);
	free(gather.unordered.items);
	free(gather.groups.items);
	free(gather.runs.items);
	free(gather.steps_before);
	free(gather.last_from);
	map_clear(&gather.groups_by_key);
}

void bucket_source_clear(struct bucket_source *source)
{
	for (size_t i = 0; i < source->count; i++)
		free(source->items[i].items);
	free(source->items);
	*source = (struct bucket_source){ 0 };
}
