#include "dump/trace/calls.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"

/* Numbers with this bit are of held calls, others of sites. */
#define HELD (UINT32_C(1) << 31)

struct held {
	int64_t begin_ns, self_ns, device_ns;
	uint32_t op, site;
	uint32_t dur_units; /* rounded up: enough to tell what runs inside */
	uint16_t thread;
};

enum { DUR_UNIT_NS = 1024 };

/* Count of an operator in a module or from a line of source, or of a node of a forward operator. */
struct pair {
	enum relation relation;
	uint32_t name, text; /* the text of a forward operator is a name */
	uint64_t calls;
	int64_t self_ns, device_ns;
};

/* Open spans of a thread while calls and frames are read in order of time. */
struct open_frames {
	struct open_frame {
		int64_t end_ns;
		struct trace_place place;
	} * items;
	size_t count, capacity;
};

struct trace_calls {
	const struct dump_context *context;
	struct trace_ops *ops;
	struct trace_sites *sites;
	struct trace_places *places;
	MEM_LIST(struct held) held;
	MEM_LIST(struct trace_frame) frames;
	MEM_LIST(struct pair) pairs;
	struct map by_pair;
	uint32_t *by_thread; /* the held ones by thread, then by begin */
	MEM_LIST(struct open_frames) threads;
	uint64_t unheld; /* calls of operators that came over the limit */
};

struct trace_calls *trace_calls_new(const struct dump_context *context, struct trace_ops *ops,
	struct trace_sites *sites, struct trace_places *places)
{
	return MEM_NEW(struct trace_calls, .context = context, .ops = ops, .sites = sites, .places = places);
}

void trace_calls_free(struct trace_calls *calls)
{
	for (size_t i = 0; i < calls->threads.count; i++)
		free(calls->threads.items[i].items);
	free(calls->threads.items);
	free(calls->by_thread);
	free(calls->held.items);
	free(calls->frames.items);
	free(calls->pairs.items);
	map_clear(&calls->by_pair);
	free(calls);
}

/* --- while the trace is read */

static uint32_t dur_units(int64_t ns)
{
	int64_t units = ns / DUR_UNIT_NS + 1;

	return units < UINT32_MAX ? (uint32_t)units : UINT32_MAX;
}

uint32_t trace_calls_add(struct trace_calls *calls, const struct trace_call *call, const struct trace_surrounding *at)
{
	uint32_t site = trace_sites_call(calls->sites, at);
	struct held held = { call->begin_ns, 0, 0, call->op, site, dur_units(call->dur_ns), call->thread };

	if (calls->held.count >= calls->context->limits->placed_calls) {
		calls->unheld++;
		return site == TRACE_NO_SITE ? TRACE_NO_CALL : site;
	}
	MEM_PUSH(&calls->held, held);
	return HELD | (uint32_t)(calls->held.count - 1);
}

void trace_calls_add_times(struct trace_calls *calls, uint32_t call, int64_t self_ns, int64_t device_ns)
{
	struct held *held;

	if (call == TRACE_NO_CALL)
		return;
	if (!(call & HELD)) {
		trace_sites_add(calls->sites, call, self_ns, device_ns);
		return;
	}
	held = &calls->held.items[call & ~HELD];
	held->self_ns = figure_add(held->self_ns, self_ns);
	held->device_ns = figure_add(held->device_ns, device_ns);
}

bool trace_calls_is_compiled(const struct trace_calls *calls, uint32_t op)
{
	return op != TRACE_NO_OP && trace_ops_traits(calls->ops, op).is_compiled;
}

static void count_uncovered(struct trace_calls *calls, uint32_t launcher, const struct trace_work *work)
{
	struct dump_device_time *time = &calls->context->facts->device_time;

	time->unlinked_ns = figure_add(time->unlinked_ns, work->dur_ns);
	if (trace_calls_is_compiled(calls, launcher) || trace_calls_is_compiled(calls, work->kernel))
		time->compiled_ns = figure_add(time->compiled_ns, work->dur_ns);
	else if (launcher != TRACE_NO_OP)
		time->functions_ns = figure_add(time->functions_ns, work->dur_ns);
}

void trace_calls_work(struct trace_calls *calls, const struct trace_launcher *launcher, const struct trace_work *work)
{
	struct dump_device_time *time = &calls->context->facts->device_time;
	struct trace_traits traits = trace_ops_traits(calls->ops, launcher->op);

	if (traits.is_collective)
		time->collectives_ns = figure_add(time->collectives_ns, work->dur_ns);
	else if (traits.is_operator || launcher->covered)
		time->operators_ns = figure_add(time->operators_ns, work->dur_ns);
	else
		count_uncovered(calls, launcher->op, work);
	trace_ops_add_device(calls->ops, launcher->op, work->dur_ns);
	if (work->kernel == TRACE_NO_OP || !trace_ops_traits(calls->ops, work->kernel).crosses)
		trace_ops_add_kernel(calls->ops, launcher->op);
	trace_calls_add_times(calls, launcher->call, 0, work->dur_ns);
}

void trace_calls_unlinked(struct trace_calls *calls, const struct trace_work *work)
{
	calls->context->facts->unmatched_work++;
	count_uncovered(calls, TRACE_NO_OP, work);
	if (work->kernel != TRACE_NO_OP)
		trace_ops_add_device(calls->ops, work->kernel, work->dur_ns);
}

void trace_calls_frame(struct trace_calls *calls, const struct trace_frame *frame)
{
	if (calls->frames.count >= calls->context->limits->frames)
		calls->context->facts->dropped_frames++;
	else
		MEM_PUSH(&calls->frames, *frame);
}

/* --- when all was read */

static int by_begin(const void *a, const void *b)
{
	const struct held *left = a, *right = b;

	return ORDER(left->begin_ns, right->begin_ns);
}

/* Of frames that begin together the one that ends first lies in the others. */
static int by_begin_of_frames(const void *a, const void *b)
{
	const struct trace_frame *left = a, *right = b;

	return ORDER(left->begin_ns, right->begin_ns) ?: ORDER(right->end_ns, left->end_ns)
	       ?: ORDER(left->is_source, right->is_source) ?: ORDER(left->text, right->text);
}

static void sort_items(void *items, size_t count, size_t bytes, int (*compare)(const void *, const void *))
{
	const char *at = items;

	for (size_t i = 1; i < count; i++, at += bytes) {
		if (compare(at, at + bytes) > 0) {
			qsort(items, count, bytes, compare);
			return;
		}
	}
}

/* --- calls by their time */

/* Of calls that begin together the inner one was placed later. */
static int by_thread_and_begin(const void *a, const void *b, void *ctx)
{
	const struct held *items = ctx;
	uint32_t left_at = *(const uint32_t *)a, right_at = *(const uint32_t *)b;
	const struct held *left = &items[left_at], *right = &items[right_at];

	return ORDER(left->thread, right->thread) ?: ORDER(left->begin_ns, right->begin_ns) ?: ORDER(left_at, right_at);
}

void trace_calls_sort(struct trace_calls *calls)
{
	size_t count = calls->held.count;

	calls->by_thread = mem_resize(calls->by_thread, count, sizeof(calls->by_thread[0]));
	for (size_t i = 0; i < count; i++)
		calls->by_thread[i] = (uint32_t)i;
	if (count)
		qsort_r(calls->by_thread, count, sizeof(calls->by_thread[0]), by_thread_and_begin, calls->held.items);
}

/* Returns the number of calls of earlier threads, or of this one up to a time. */
static size_t calls_until(const struct trace_calls *calls, uint16_t thread, int64_t ns)
{
	const struct held *held = calls->held.items;
	const uint32_t *at = calls->by_thread;

	return BISECT(i, calls->held.count,
		held[at[i]].thread > thread || (held[at[i]].thread == thread && held[at[i]].begin_ns > ns));
}

bool trace_calls_at(const struct trace_calls *calls, uint16_t thread, int64_t ns, uint32_t *ret)
{
	enum { MAX_BACK = 256 }; /* calls that ended before, inside of the one that is looked for */
	size_t until = calls_until(calls, thread, ns);

	for (size_t back = 1; back <= until && back <= MAX_BACK; back++) {
		const struct held *held = &calls->held.items[calls->by_thread[until - back]];

		if (held->thread != thread)
			return false;
		if (ns - held->begin_ns <= (int64_t)held->dur_units * DUR_UNIT_NS) {
			*ret = HELD | calls->by_thread[until - back];
			return true;
		}
	}
	return false;
}

bool trace_calls_node(const struct trace_calls *calls, uint16_t thread, int64_t ns, uint32_t *ret)
{
	size_t at = calls_until(calls, thread, ns - 1);
	const struct held *held = at < calls->held.count ? &calls->held.items[calls->by_thread[at]] : NULL;

	if (!held || held->thread != thread || !trace_ops_traits(calls->ops, held->op).is_node)
		return false;
	*ret = HELD | calls->by_thread[at];
	return true;
}

uint32_t trace_calls_op(const struct trace_calls *calls, uint32_t call)
{
	return calls->held.items[call & ~HELD].op;
}

static struct open_frames *frames_of(struct trace_calls *calls, uint16_t thread)
{
	while (calls->threads.count <= thread)
		MEM_PUSH(&calls->threads, ((struct open_frames){ 0 }));
	return &calls->threads.items[thread];
}

/* State that applies to a call that begins on a thread. */
static struct trace_place place_at(struct open_frames *open, int64_t begin_ns)
{
	while (open->count && open->items[open->count - 1].end_ns <= begin_ns)
		open->count--;
	return open->count ? open->items[open->count - 1].place : (struct trace_place){ 0 };
}

static void open_frame(struct trace_calls *calls, const struct trace_frame *frame)
{
	struct open_frames *open = frames_of(calls, frame->thread);
	struct open_frame inside = { frame->end_ns, place_at(open, frame->begin_ns) };

	if (open->count >= calls->context->limits->open_frames) {
		calls->context->facts->dropped_frames++;
		return;
	}
	if (frame->is_source)
		inside.place.source = frame->text;
	else
		inside.place.module = trace_places_inside(calls->places, inside.place.module, frame->text);
	MEM_PUSH(open, inside);
}

static struct pair *pair_of(struct trace_calls *calls, enum relation relation, uint32_t name, uint32_t text)
{
	uint64_t hash = hash_mix(((uint64_t)name << 32 | text) ^ 0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u + relation);
	struct map_cursor at = map_start(&calls->by_pair, hash);

	while (map_next(&calls->by_pair, &at)) {
		struct pair *pair = &calls->pairs.items[at.index];

		if (pair->name == name && pair->text == text && pair->relation == relation)
			return pair;
	}
	if (calls->pairs.count >= calls->context->limits->links)
		return NULL;
	map_add(&calls->by_pair, hash, (uint32_t)calls->pairs.count);
	MEM_PUSH(&calls->pairs, ((struct pair){ .relation = relation, .name = name, .text = text }));
	return &calls->pairs.items[calls->pairs.count - 1];
}

static void count_call(
	struct trace_calls *calls, const struct held *held, enum relation relation, uint32_t name, uint32_t text)
{
	struct pair *pair = text ? pair_of(calls, relation, name, text) : NULL;

	calls->context->facts->unlinked_calls += text && !pair;
	if (!pair)
		return;
	pair->calls++;
	pair->self_ns = figure_add(pair->self_ns, held->self_ns);
	pair->device_ns = figure_add(pair->device_ns, held->device_ns);
}

void trace_calls_forward(struct trace_calls *calls, uint32_t node, uint32_t forward)
{
	const struct held *held = &calls->held.items[node & ~HELD];
	uint32_t name = trace_ops_traits(calls->ops, trace_calls_op(calls, forward)).name;

	count_call(calls, held, RELATION_FORWARD, trace_ops_traits(calls->ops, held->op).name, name);
}

/* A call's own record comes before its surroundings. */
static void place_call(struct trace_calls *calls, const struct held *held)
{
	struct trace_traits traits = trace_ops_traits(calls->ops, held->op);
	struct trace_place place = place_at(frames_of(calls, held->thread), held->begin_ns);
	struct trace_place own = trace_sites_place(calls->sites, held->site);

	if (!traits.is_operator)
		return;
	count_call(calls, held, RELATION_MODULE, traits.name, own.module ? 0 : place.module);
	count_call(calls, held, RELATION_SOURCE, traits.name, own.source ? 0 : place.source);
}

/* Calls and frames in order of time; of a call and a frame that begin together the call lies in the frame. */
static void place_all(struct trace_calls *calls)
{
	size_t next = 0;

	sort_items(calls->held.items, calls->held.count, sizeof(calls->held.items[0]), by_begin);
	sort_items(calls->frames.items, calls->frames.count, sizeof(calls->frames.items[0]), by_begin_of_frames);
	for (size_t i = 0; i < calls->held.count; i++) {
		while (next < calls->frames.count &&
			calls->frames.items[next].begin_ns <= calls->held.items[i].begin_ns)
			open_frame(calls, &calls->frames.items[next++]);
		place_call(calls, &calls->held.items[i]);
	}
	calls->context->facts->unlinked_calls += calls->unheld;
}

static void emit_pairs(const struct trace_calls *calls, unsigned stream)
{
	for (size_t i = 0; i < calls->pairs.count; i++) {
		const struct pair *pair = &calls->pairs.items[i];
		bool forward = pair->relation == RELATION_FORWARD;
		struct op_link link = { trace_ops_name(calls->ops, pair->name),
			forward ? trace_ops_name(calls->ops, pair->text) : trace_places_text(calls->places, pair->text),
			pair->calls, pair->self_ns, pair->device_ns };

		trace_sites_link(calls->sites, stream, pair->relation, &link);
	}
}

void trace_calls_emit(struct trace_calls *calls, unsigned stream)
{
	for (size_t i = 0; i < calls->held.count; i++) {
		const struct held *held = &calls->held.items[i];

		trace_sites_add(calls->sites, held->site, held->self_ns, held->device_ns);
	}
	if (calls->frames.count)
		place_all(calls);
	trace_sites_emit(calls->sites, calls->places, stream);
	emit_pairs(calls, stream);
}
