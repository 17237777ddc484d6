#include "assess/shape/steps.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "op/shape.h"

/* --- usable steps */

/* Asked step by step; *at moves on. */
static bool is_in_runs(const struct step_runs *runs, uint32_t step, size_t *at)
{
	const struct step_run *items = step_runs_items(runs);

	while (*at < runs->count && items[*at].last < step)
		(*at)++;
	return *at < runs->count && items[*at].first <= step;
}

void usable_steps_make(struct arena *arena, const struct profile *profile, uint32_t number, struct usable_steps *ret)
{
	size_t compiling = 0, torn = 0, count;
	const struct profile_stream *stream = &profile_streams(profile, &count)[number];

	*ret = (struct usable_steps){ .stream = number,
		.original = arena_alloc(arena, ((size_t)stream->steps + 1) * sizeof(uint32_t)),
		.up_to = arena_alloc(arena, ((size_t)stream->steps + 1) * sizeof(uint32_t)) };
	for (uint32_t step = 1; step <= stream->steps; step++) {
		if (is_in_runs(&stream->compiling, step, &compiling))
			ret->left_out++;
		else if (!is_in_runs(&stream->torn, step, &torn))
			ret->original[++ret->count] = step;
		ret->up_to[step] = ret->count;
	}
}

/* --- histories */

struct event_list {
	struct step_event *items;
	size_t count, capacity;
};

/* The runs of a use in usable steps; runs that meet when compiling steps are left out become one. */
static void add_events(
	struct event_list *events, const struct usable_steps *steps, const struct profile_use *use, uint32_t use_index)
{
	const struct step_run *runs = step_runs_items(&use->steps);
	uint64_t signature = hash_str(use->shapes_hash, use->overload) | 1;
	uint32_t open = 0, last = 0;

	for (size_t i = 0; i < use->steps.count; i++) {
		uint32_t first = steps->up_to[runs[i].first - 1] + 1;
		uint32_t end = steps->up_to[runs[i].last];

		if (first > end)
			continue;
		if (open && first == last + 1) {
			last = end;
			continue;
		}
		if (open)
			MEM_PUSH(events, ((struct step_event){ last + 1, use_index, false, -signature }));
		MEM_PUSH(events, ((struct step_event){ first, use_index, true, signature }));
		open = first;
		last = end;
	}
	if (open)
		MEM_PUSH(events, ((struct step_event){ last + 1, use_index, false, -signature }));
}

static int by_step(const void *a, const void *b)
{
	const struct step_event *left = a, *right = b;

	return ORDER(left->step, right->step) ?: ORDER(left->use, right->use);
}

/* Copies the events to ret in the order of their steps, those of one step by use. Counting is faster where they are
   many. */
static void sort_events(const struct event_list *events, uint32_t steps, struct step_event *ret)
{
	enum { MANY = 16 };
	uint32_t *places;

	if (events->count < steps / MANY) {
		memcpy(ret, events->items, events->count * sizeof(ret[0]));
		qsort(ret, events->count, sizeof(ret[0]), by_step);
		return;
	}
	places = mem_zalloc(((size_t)steps + 3) * sizeof(places[0])); /* steps are 1 to steps + 1 */
	for (size_t i = 0; i < events->count; i++)
		places[events->items[i].step + 1]++;
	for (uint32_t step = 1; step <= steps + 1; step++)
		places[step] += places[step - 1];
	for (size_t i = 0; i < events->count; i++) /* uses come in their order */
		ret[places[events->items[i].step]++] = events->items[i];
	free(places);
}

static void add_segment(struct op_history *history, uint32_t first, uint32_t last, size_t uses, uint64_t signature)
{
	struct segment *before = history->count ? &history->segments[history->count - 1] : NULL;

	if (first > last)
		return;
	if (before && before->signature == signature)
		before->last = last;
	else
		history->segments[history->count++] = (struct segment){ first, last, (uint32_t)uses, signature };
}

static void make_segments(const struct usable_steps *steps, struct op_history *history)
{
	uint64_t signature = 0;
	uint32_t from = 1;
	size_t present = 0;

	for (size_t i = 0; i < history->event_count;) {
		uint32_t step = history->events[i].step;

		add_segment(history, from, step - 1, present, present ? signature : 0);
		for (; i < history->event_count && history->events[i].step == step; i++) {
			signature += history->events[i].signature;
			present += history->events[i].joins ? 1 : (size_t)-1;
		}
		from = step;
	}
	add_segment(history, from, steps->count, present, present ? signature : 0);
}

/* Of one stream. */
struct history_making {
	struct arena *arena;
	const struct profile_use *uses;
	const struct usable_steps *steps;
	struct event_list events; /* one list for all operators */
};

static void make_history(struct history_making *making, const struct op *op, struct op_history *ret)
{
	struct event_list *events = &making->events;

	*ret = (struct op_history){ 0 };
	events->count = 0;
	for (size_t i = 0; i < op->use_count; i++) {
		const struct profile_use *use = &making->uses[op->uses[i]];

		op_fetch_ahead(op, making->uses, i);
		if (use->stream != making->steps->stream || !use->calls)
			continue;
		ret->cut |= use->shapes_cut;
		ret->shapes |= use->shapes.len > 0;
		add_events(events, making->steps, use, op->uses[i]);
	}
	if (!events->count)
		return;
	ret->events = arena_alloc(making->arena, events->count * sizeof(events->items[0]));
	ret->segments = arena_alloc(making->arena, (events->count + 1) * sizeof(ret->segments[0]));
	sort_events(events, making->steps->count, ret->events);
	ret->event_count = events->count;
	make_segments(making->steps, ret);
}

void op_histories_make(struct arena *arena, const struct profile *profile, const struct usable_steps *steps,
	const struct operators *operators, struct op_history *ret)
{
	size_t use_count;
	struct history_making making = { arena, profile_uses(profile, &use_count), steps, { 0 } };

	for (size_t i = 0; i < operators->count; i++)
		make_history(&making, &operators->items[i], &ret[i]);
	free(making.events.items);
}

/* The first event at or after a step. */
static size_t event_at(const struct op_history *history, uint32_t step)
{
	return BISECT(i, history->event_count, history->events[i].step >= step);
}

uint64_t op_events_hash(const struct op_history *history, uint32_t step)
{
	uint64_t hash = hash_seed();

	for (size_t i = event_at(history, step); i < history->event_count && history->events[i].step == step; i++)
		hash = hash_mix(hash ^ 0x9e3779b97f4a7c15u,
			((uint64_t)history->events[i].use << 1 | history->events[i].joins) ^ 0xd6e8feb86659fd93u);
	return hash;
}

bool op_sets_are_disjoint(const struct op_history *history, size_t at)
{
	const struct segment *before = &history->segments[at - 1], *after = &history->segments[at];
	uint32_t joined = 0;

	for (size_t i = event_at(history, after->first); i < history->event_count; i++) {
		if (history->events[i].step != after->first)
			break;
		joined += history->events[i].joins;
	}
	return before->uses && after->uses && joined == after->uses;
}

/* --- changes */

enum { MAX_COMPARED = 8, MAX_DIFFERENT = 16 };

/* Number of sizes that differ between two shapes of the same build; most, when they are more or built differently. */
static size_t distance(const struct shape *from, const struct shape *to, size_t most)
{
	size_t different = 0;

	if (from->count != to->count)
		return most;
	for (size_t i = 0; i < from->count && different < most; i++) {
		const struct shape_size *a = &from->sizes[i], *b = &to->sizes[i];

		if (a->argument != b->argument || a->tensor != b->tensor || a->dim != b->dim)
			return most;
		different += a->size != b->size;
	}
	return different;
}

static void add_changes(const struct shape *from, const struct shape *to, struct step_changes *ret)
{
	for (size_t i = 0; i < from->count && ret->count < MAX_CHANGES; i++) {
		const struct shape_size *a = &from->sizes[i], *b = &to->sizes[i];

		if (a->size != b->size)
			ret->items[ret->count++] = (struct size_change){ a->argument, a->tensor, a->dim, a->size,
				b->size };
	}
}

struct read_shape {
	uint32_t use;
	bool good; /* something could be read */
	struct shape shape;
};

void read_shapes_clear(struct read_shapes *shapes)
{
	arena_clear(&shapes->arena);
	map_clear(&shapes->by_use);
	free(shapes->items);
	*shapes = READ_SHAPES_INIT;
}

/* The shape of a use, read at most once; false when it cannot be read. */
static bool read_shape_of(struct read_shapes *read, uint32_t use, struct str text, struct shape *ret)
{
	uint64_t hash = hash_mix(use ^ 0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u);
	struct map_cursor at = map_start(&read->by_use, hash);
	struct read_shape shape = { .use = use };

	while (map_next(&read->by_use, &at)) {
		if (read->items[at.index].use == use) {
			*ret = read->items[at.index].shape;
			return read->items[at.index].good;
		}
	}
	shape.good = shape_parse(&read->arena, text, &shape.shape);
	map_add(&read->by_use, hash, (uint32_t)read->count);
	MEM_PUSH(read, shape);
	*ret = shape.shape;
	return shape.good;
}

/* A use that joins or leaves. */
struct step_use {
	struct str text;
	uint32_t use;
};

/* Puts a use into a list of the MAX_COMPARED ones whose texts are the smallest, in the order of those. */
static void keep_smallest(struct step_use *list, size_t *count, struct step_use use)
{
	size_t at = *count;

	while (at > 0 && str_cmp(use.text, list[at - 1].text) < 0)
		at--;
	if (at == MAX_COMPARED)
		return;
	*count += *count < MAX_COMPARED;
	memmove(&list[at + 1], &list[at], (*count - at - 1) * sizeof(list[0]));
	list[at] = use;
}

/* Up to MAX_COMPARED shapes that join or leave at a step, the same ones in whatever order the rows came. */
struct compared_shapes {
	struct shape items[MAX_COMPARED];
	size_t count;
	bool any; /* also such that no shape can be read from */
};

static void read_shapes_at(struct read_shapes *read, const struct profile_use *uses, const struct op_history *history,
	size_t first_event, struct compared_shapes ret[2])
{
	struct step_use lists[2][MAX_COMPARED];
	size_t counts[2] = { 0 };
	uint32_t step = first_event < history->event_count ? history->events[first_event].step : 0;

	for (size_t i = first_event; i < history->event_count && history->events[i].step == step; i++) {
		const struct step_event *event = &history->events[i];

		keep_smallest(lists[event->joins], &counts[event->joins],
			(struct step_use){ uses[event->use].shapes, event->use });
	}
	for (unsigned joins = 0; joins < 2; joins++) {
		ret[joins].count = 0;
		ret[joins].any = counts[joins];
		for (size_t i = 0; i < counts[joins]; i++)
			ret[joins].count += read_shape_of(
				read, lists[joins][i].use, lists[joins][i].text, &ret[joins].items[ret[joins].count]);
	}
}

struct step_changes op_changes_at(
	const struct profile *profile, const struct op_history *history, uint32_t step, struct read_shapes *read)
{
	struct compared_shapes shapes[2];
	const struct compared_shapes *went = &shapes[0], *came = &shapes[1];
	struct step_changes changes = { .count = 0 };
	size_t use_count;

	read_shapes_at(read, profile_uses(profile, &use_count), history, event_at(history, step), shapes);
	for (size_t i = 0; i < came->count; i++) {
		size_t best = MAX_DIFFERENT, best_at = 0;

		for (size_t j = 0; j < went->count; j++) {
			size_t different = distance(&went->items[j], &came->items[i], best);

			if (different < best) {
				best = different;
				best_at = j;
			}
		}
		if (best < MAX_DIFFERENT)
			add_changes(&went->items[best_at], &came->items[i], &changes);
	}
	changes.came = came->any;
	changes.went = went->any;
	return changes;
}
