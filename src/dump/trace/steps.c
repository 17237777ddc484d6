#include "dump/trace/steps.h"

#include <stdlib.h>

#include "base/figure.h"
#include "base/mem.h"

enum { MAX_SPANS = 8192, MAX_BACK = 16 };

struct span {
	uint64_t pid;
	int64_t begin_ns, end_ns;
	uint32_t number; /* 0: no operator was in it so far */
};

/* There may be a million of them. */
struct waiting {
	int64_t ns;
	uint32_t op;
	uint16_t depth, process; /* a place in the list of processes */
};

struct trace_steps {
	struct trace_ops *ops;
	struct trace_order *order;
	size_t max_waiting;
	struct {
		struct span *items; /* by begin */
		size_t count, capacity;
	} spans;
	struct {
		struct waiting *items;
		size_t count, capacity;
	} waiting;
	struct {
		uint64_t *items;
		size_t count, capacity;
	} processes;
	size_t last_process;
	size_t last;      /* the span that held the call before */
	uint32_t numbers; /* given */
	uint64_t unplaced;
};

struct trace_steps *trace_steps_new(const struct limits *limits, struct trace_ops *ops, struct trace_order *order)
{
	struct trace_steps *steps = mem_zalloc(sizeof(*steps));

	steps->ops = ops;
	steps->order = order;
	steps->max_waiting = (size_t)limits->held_calls;
	return steps;
}

void trace_steps_free(struct trace_steps *steps)
{
	if (!steps)
		return;
	free(steps->spans.items);
	free(steps->waiting.items);
	free(steps->processes.items);
	free(steps);
}

bool trace_steps_is_mark(struct str name)
{
	return str_starts(name, STR("ProfilerStep#"));
}

/* How many spans begin at or before a time. */
static size_t spans_until(const struct trace_steps *steps, int64_t ns)
{
	size_t from = 0, to = steps->spans.count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (steps->spans.items[middle].begin_ns <= ns)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

void trace_steps_add(struct trace_steps *steps, uint64_t pid, int64_t begin_ns, int64_t dur_ns)
{
	struct span span = { pid, begin_ns, begin_ns, 0 };
	size_t at = spans_until(steps, begin_ns);
	struct span *items;

	if (dur_ns <= 0 || __builtin_add_overflow(begin_ns, dur_ns, &span.end_ns))
		return;
	if (at && steps->spans.items[at - 1].begin_ns == begin_ns && steps->spans.items[at - 1].pid == pid)
		return; /* written twice */
	if (steps->spans.count == MAX_SPANS) {
		/* the oldest one has had its calls long ago */
		items = steps->spans.items;
		memmove(items, items + 1, --steps->spans.count * sizeof(items[0]));
		at -= at > 0;
		steps->last = 0;
	}
	MEM_PUSH(&steps->spans, span);
	items = steps->spans.items;
	memmove(items + at + 1, items + at, (steps->spans.count - 1 - at) * sizeof(items[0]));
	items[at] = span;
}

static bool holds(const struct span *span, uint64_t pid, int64_t ns)
{
	return span->pid == pid && span->begin_ns <= ns && ns < span->end_ns;
}

uint32_t trace_steps_at(struct trace_steps *steps, uint64_t pid, int64_t ns)
{
	size_t at;

	if (steps->last >= steps->spans.count || !holds(&steps->spans.items[steps->last], pid, ns)) {
		size_t until = spans_until(steps, ns), back = 0;

		for (at = until; at && back < MAX_BACK; at--, back++) {
			if (holds(&steps->spans.items[at - 1], pid, ns))
				break;
		}
		if (!at || back == MAX_BACK)
			return 0;
		steps->last = at - 1;
	}
	at = steps->last;
	if (!steps->spans.items[at].number)
		steps->spans.items[at].number = ++steps->numbers;
	return steps->spans.items[at].number;
}

/* --- calls that wait */

/* The place of a process; beyond all that 16 bits can tell apart the last one stands for the others. */
static uint16_t process_at(struct trace_steps *steps, uint64_t pid)
{
	size_t at = steps->last_process;

	if (at < steps->processes.count && steps->processes.items[at] == pid)
		return (uint16_t)at;
	for (at = 0; at < steps->processes.count && steps->processes.items[at] != pid; at++)
		;
	if (at == steps->processes.count) {
		if (at > UINT16_MAX)
			return UINT16_MAX;
		MEM_PUSH(&steps->processes, pid);
	}
	steps->last_process = at;
	return (uint16_t)at;
}

static void take(struct trace_steps *steps, uint32_t step, const struct waiting *call)
{
	trace_ops_add_call(steps->ops, call->op, step);
	trace_order_add(steps->order, step, call->ns, call->op, call->depth);
}

static int by_time(const void *a, const void *b)
{
	const struct waiting *left = a, *right = b;

	return left->ns < right->ns ? -1 : left->ns > right->ns;
}

/* Counts those whose step is known by now, and, all or the earlier half, those whose step is not. */
static void settle(struct trace_steps *steps, bool all)
{
	size_t count = steps->waiting.count, kept = 0;
	struct waiting *items = steps->waiting.items;

	if (count)
		qsort(items, count, sizeof(items[0]), by_time);
	for (size_t i = 0; i < count; i++) {
		uint32_t step = trace_steps_at(steps, steps->processes.items[items[i].process], items[i].ns);

		if (step || all || i < count / 2) {
			steps->unplaced += !step && !all && steps->spans.count;
			take(steps, step, &items[i]);
		} else {
			items[kept++] = items[i];
		}
	}
	steps->waiting.count = kept;
}

void trace_steps_call(struct trace_steps *steps, uint64_t pid, int64_t ns, uint32_t op, uint32_t depth)
{
	struct waiting call = { ns, op, (uint16_t)(depth < UINT16_MAX ? depth : UINT16_MAX), 0 };
	uint32_t step = trace_steps_at(steps, pid, ns);

	if (step) {
		take(steps, step, &call);
		return;
	}
	if (steps->waiting.count >= steps->max_waiting)
		settle(steps, false);
	call.process = process_at(steps, pid);
	MEM_PUSH(&steps->waiting, call);
}

uint32_t trace_steps_finish(struct trace_steps *steps)
{
	settle(steps, true);
	return steps->numbers;
}

uint64_t trace_steps_unplaced(const struct trace_steps *steps)
{
	return steps->unplaced;
}
