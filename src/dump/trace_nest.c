#include "dump/trace_nest.h"

#include <stdlib.h>

#include "base/figure.h"
#include "base/hash.h"
#include "base/mem.h"

enum { MAX_OPEN = 128 };

struct open_span {
	int64_t end_ns;
	uint32_t op;
};

struct thread {
	uint64_t pid, tid; /* hashes */
	struct open_span *open;
	size_t depth;
};

struct trace_nest {
	struct trace_ops *ops;
	struct trace_steps *steps;
	struct trace_device *device;
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

struct trace_nest *trace_nest_new(const struct limits *limits, struct trace_ops *ops, struct trace_steps *steps,
	struct trace_device *device)
{
	struct trace_nest *nest = mem_zalloc(sizeof(*nest));

	nest->ops = ops;
	nest->steps = steps;
	nest->device = device;
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
	return index < nest->threads.count && nest->threads.items[index].pid == pid && nest->threads.items[index].tid == tid;
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

uint64_t trace_nest_process(const struct trace_nest *nest, uint16_t thread)
{
	return nest->threads.items[thread].pid;
}

/* --- spans in order of time */

static void open_span(struct thread *thread, int64_t end_ns, uint32_t op)
{
	if (!thread->open)
		thread->open = mem_resize(NULL, MAX_OPEN, sizeof(thread->open[0]));
	if (thread->depth < MAX_OPEN)
		thread->open[thread->depth++] = (struct open_span){ end_ns, op };
}

/* The span that holds a new one, whose time is taken off it; NULL for a span on its own. */
static const struct open_span *parent_of(struct trace_nest *nest, struct thread *thread, const struct trace_span *span,
	int64_t end_ns)
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
	trace_ops_add_time(nest->ops, parent->op, -inside, 0);
	return parent;
}

/* Counts the call first: what is told of the step before has then its own times alone. */
static void count(struct trace_nest *nest, const struct thread *thread, const struct trace_span *span)
{
	if (!span->is_launch && trace_ops_stepped(nest->ops, span->op))
		trace_steps_call(nest->steps, thread->pid, span->begin_ns, span->op);
	else
		trace_ops_add_call(nest->ops, span->op, 0);
	trace_ops_add_time(nest->ops, span->op, span->dur_ns, span->dur_ns);
}

static void place(struct trace_nest *nest, const struct trace_span *span)
{
	struct thread *thread = &nest->threads.items[span->thread];
	int64_t end_ns = span->begin_ns + span->dur_ns;
	const struct open_span *parent = parent_of(nest, thread, span, end_ns);

	count(nest, thread, span);
	if (span->is_launch && parent)
		trace_device_launch(nest->device, span->link, parent->op);
	if (span->is_launch)
		return;
	if (span->link)
		trace_device_operator(nest->device, span->link, span->op);
	if (span->dur_ns)
		open_span(thread, end_ns, span->op);
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
