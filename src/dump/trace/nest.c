#include "dump/trace/nest.h"

#include <stdlib.h>

#include "base/figure.h"
#include "base/hash.h"
#include "base/mem.h"

enum { MAX_OPEN = 128 };

/* What holds for a span that begins: what it lies in. */
struct inside {
	uint32_t name;       /* of the innermost operator or autograd node, as trace_sites has it */
	uint32_t depth : 31; /* operators that are open */
	bool in_node : 1;    /* an autograd node is */
};

struct open_span {
	int64_t end_ns;
	uint32_t op, call;
	struct inside inside; /* for what begins in it */
};

struct thread {
	uint64_t pid, tid; /* hashes */
	struct open_span *open;
	size_t depth;
};

struct trace_nest {
	struct trace_parts to;
	size_t max_threads, max_window;
	uint64_t seed;
	struct {
		struct thread *items;
		size_t count, capacity;
	} threads;
	size_t last_thread;
	struct {
		struct trace_span *items;
		size_t count, capacity;
	} window;
	bool disordered;
};

struct trace_nest *trace_nest_new(const struct limits *limits, const struct trace_parts *parts)
{
	struct trace_nest *nest = mem_zalloc(sizeof(*nest));

	nest->to = *parts;
	nest->max_threads = (size_t)limits->threads;
	nest->max_window = (size_t)limits->window_events;
	nest->seed = hash_seed();
	return nest;
}

void trace_nest_free(struct trace_nest *nest)
{
	if (!nest)
		return;
	for (size_t i = 0; i < nest->threads.count; i++)
		free(nest->threads.items[i].open);
	free(nest->threads.items);
	free(nest->window.items);
	free(nest);
}

/* --- threads */

static bool is_thread(const struct trace_nest *nest, size_t index, uint64_t pid, uint64_t tid)
{
	return index < nest->threads.count && nest->threads.items[index].pid == pid &&
	       nest->threads.items[index].tid == tid;
}

uint16_t trace_nest_thread(struct trace_nest *nest, struct str pid_text, struct str tid_text)
{
	uint64_t pid = hash_str(nest->seed, pid_text), tid = hash_str(nest->seed, tid_text);
	size_t at = nest->last_thread;

	if (is_thread(nest, at, pid, tid))
		return (uint16_t)at;
	for (at = 0; at < nest->threads.count && !is_thread(nest, at, pid, tid); at++)
		;
	if (at == nest->threads.count) {
		if (at == nest->max_threads)
			return (uint16_t)(at - 1);
		MEM_PUSH(&nest->threads, ((struct thread){ .pid = pid, .tid = tid }));
	}
	nest->last_thread = at;
	return (uint16_t)at;
}

bool trace_nest_any_thread(const struct trace_nest *nest, struct str tid_text, uint16_t *ret)
{
	uint64_t tid = hash_str(nest->seed, tid_text);

	for (size_t i = 0; i < nest->threads.count; i++) {
		if (nest->threads.items[i].tid == tid) {
			*ret = (uint16_t)i;
			return true;
		}
	}
	return false;
}

uint64_t trace_nest_process(const struct trace_nest *nest, uint16_t thread)
{
	return nest->threads.items[thread].pid;
}

/* --- spans in order of time */

/* Opens what others may lie in. */
static void open_span(struct thread *thread, const struct open_span *span, const struct trace_traits *traits)
{
	struct open_span *open;

	if (!thread->open)
		thread->open = mem_resize(NULL, MAX_OPEN, sizeof(thread->open[0]));
	if (thread->depth == MAX_OPEN)
		return;
	open = &thread->open[thread->depth++];
	*open = *span;
	open->inside.name = traits->name ? traits->name : span->inside.name;
	open->inside.depth += traits->is_operator;
	open->inside.in_node |= traits->is_node;
}

/* The span that holds a new one, whose time is taken off it; NULL for a span on its own. */
static const struct open_span *parent_of(
	struct trace_nest *nest, struct thread *thread, const struct trace_span *span, int64_t end_ns)
{
	const struct open_span *parent;
	int64_t inside;

	while (thread->depth && thread->open[thread->depth - 1].end_ns <= span->begin_ns)
		thread->depth--;
	if (!thread->depth)
		return NULL;
	parent = &thread->open[thread->depth - 1];
	/* clocks of microseconds let inner spans end a little late */
	inside = (end_ns < parent->end_ns ? end_ns : parent->end_ns) - span->begin_ns;
	trace_ops_add_time(nest->to.ops, parent->op, -inside, 0);
	trace_calls_add_time(nest->to.calls, parent->call, -inside);
	return parent;
}

/* The forward operator of an autograd node. What runs inside of a node is none, whatever number it bears. */
static uint32_t forward_of(struct trace_nest *nest, const struct trace_span *span, const struct trace_traits *traits,
	const struct inside *inside)
{
	if (traits->is_node)
		return trace_forward_of(nest->to.forward, span->sequence);
	if (!inside->in_node)
		trace_forward_add(nest->to.forward, span->sequence, span->thread, traits->name);
	return 0;
}

static uint32_t add_call(struct trace_nest *nest, const struct trace_span *span, const struct trace_traits *traits,
	const struct inside *inside)
{
	const struct trace_call call = { span->begin_ns, span->dur_ns, span->op, span->thread };
	struct trace_surrounding at = { .name = traits->name };

	if (span->sequence)
		at.forward = forward_of(nest, span, traits, inside);
	if (traits->is_operator) {
		at.parent = inside->name;
		at.place = span->place;
	}
	return trace_calls_add(nest->to.calls, &call, &at);
}

/* Counts the call first: what is told of the step before has then its own times alone. */
static void count(struct trace_nest *nest, const struct thread *thread, const struct trace_span *span, bool stepped,
	uint32_t depth)
{
	if (stepped)
		trace_steps_call(nest->to.steps, thread->pid, span->begin_ns, span->op, depth);
	else
		trace_ops_add_call(nest->to.ops, span->op, 0);
	trace_ops_add_time(nest->to.ops, span->op, span->dur_ns, span->dur_ns);
}

/* Work on an NPU is told of the call that began it: it is the innermost operator's. */
static void note_begin(struct trace_nest *nest, const struct thread *thread, const struct trace_span *span,
	const struct open_span *open)
{
	size_t depth = thread->depth;
	uint32_t op = span->op, call = open->call;

	while (!trace_ops_traits(nest->to.ops, op).is_operator && depth) {
		op = thread->open[--depth].op;
		call = thread->open[depth].call;
	}
	trace_npu_begin(nest->to.npu, thread->pid, thread->tid, span->begin_ns, op, call);
}

static void place(struct trace_nest *nest, const struct trace_span *span)
{
	struct thread *thread = &nest->threads.items[span->thread];
	struct open_span open = { .end_ns = span->begin_ns + span->dur_ns, .op = span->op, .call = TRACE_NO_CALL };
	const struct open_span *parent = parent_of(nest, thread, span, open.end_ns);
	struct trace_traits traits = trace_ops_traits(nest->to.ops, span->op);

	open.inside = parent ? parent->inside : (struct inside){ 0 };
	count(nest, thread, span, traits.stepped && !span->is_launch, open.inside.depth);
	if (span->is_launch && parent)
		trace_device_launch(nest->to.device, span->link, parent->op, parent->call);
	if (span->is_launch)
		return;
	if (traits.name)
		open.call = add_call(nest, span, &traits, &open.inside);
	if (trace_npu_is_wanted(nest->to.npu))
		note_begin(nest, thread, span, &open);
	if (span->link)
		trace_device_operator(nest->to.device, span->link, span->op, open.call);
	if (span->dur_ns)
		open_span(thread, &open, &traits);
}

/* --- the window */

static int by_time(const void *a, const void *b)
{
	const struct trace_span *left = a, *right = b;

	if (left->begin_ns != right->begin_ns)
		return left->begin_ns < right->begin_ns ? -1 : 1;
	return left->dur_ns > right->dur_ns ? -1 : left->dur_ns < right->dur_ns;
}

/* Hands the earliest ones on. */
static void advance(struct trace_nest *nest, size_t count)
{
	struct trace_span *items = nest->window.items;

	if (nest->disordered)
		qsort(items, nest->window.count, sizeof(items[0]), by_time);
	nest->disordered = false;
	for (size_t i = 0; i < count; i++)
		place(nest, &items[i]);
	nest->window.count -= count;
	if (nest->window.count)
		memmove(items, items + count, nest->window.count * sizeof(items[0]));
}

void trace_nest_add(struct trace_nest *nest, const struct trace_span *span)
{
	if (nest->window.count)
		nest->disordered |= by_time(&nest->window.items[nest->window.count - 1], span) > 0;
	MEM_PUSH(&nest->window, *span);
	if (nest->window.count >= nest->max_window)
		advance(nest, nest->window.count / 2);
}

void trace_nest_flush(struct trace_nest *nest)
{
	advance(nest, nest->window.count);
}
