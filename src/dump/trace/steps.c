#include "dump/trace/steps.h"

#include <stdlib.h>

#include "base/memory/mem.h"

enum { MAX_STEPS = 1 << 16, MAX_MOVED = 32, MAX_BACK = 16 };

struct step {
	uint64_t pid;
	int64_t begin_ns, end_ns;
	uint32_t number; /* 0: no operator was in it so far */
};

struct trace_steps {
	MEM_LIST(struct step) list; /* by process and begin, once sorted */
	size_t sorted;              /* number of them in order */
	size_t last;                /* the step that held the call before */
	uint32_t numbers;           /* given */
	bool full;
	uint64_t missed; /* calls whose step may be unknown */
};

struct trace_steps *trace_steps_new(void)
{
	return mem_zalloc(sizeof(struct trace_steps));
}

void trace_steps_free(struct trace_steps *steps)
{
	free(steps->list.items);
	free(steps);
}

bool trace_steps_is_mark(struct str name)
{
	return str_starts(name, STR("ProfilerStep#"));
}

void trace_steps_add(struct trace_steps *steps, uint64_t pid, int64_t begin_ns, int64_t dur_ns)
{
	struct step step = { pid, begin_ns, begin_ns, 0 };

	if (dur_ns <= 0 || __builtin_add_overflow(begin_ns, dur_ns, &step.end_ns))
		return;
	if (steps->list.count < MAX_STEPS)
		MEM_PUSH(&steps->list, step);
	else
		steps->full = true;
}

/* --- looking up */

/* Of steps that begin together the longest one comes first. */
static int by_process_and_begin(const void *a, const void *b)
{
	const struct step *left = a, *right = b;

	return ORDER(left->pid, right->pid) ?: ORDER(left->begin_ns, right->begin_ns)
	       ?: ORDER(right->end_ns, left->end_ns);
}

/* Few new ones, as in an execution trace, where each is looked up before the next one comes, are moved to their
   places. */
static void put_in_order(struct trace_steps *steps)
{
	struct step *items = steps->list.items;

	if (steps->list.count - steps->sorted > MAX_MOVED)
		qsort(items, steps->list.count, sizeof(items[0]), by_process_and_begin);
	else
		for (size_t i = steps->sorted; i < steps->list.count; i++) {
			struct step moved = items[i];
			size_t at = i;

			while (at && by_process_and_begin(&items[at - 1], &moved) > 0)
				at--;
			memmove(items + at + 1, items + at, (i - at) * sizeof(items[0]));
			items[at] = moved;
		}
	steps->sorted = steps->list.count;
	steps->last = 0;
}

static bool step_holds(const struct trace_steps *steps, size_t at, uint64_t pid, int64_t ns)
{
	const struct step *step = &steps->list.items[at];

	return step->pid == pid && step->begin_ns <= ns && ns < step->end_ns;
}

/* The step that holds a time, or how many there are. Steps are written twice, as an operator and as a span of the
   user. */
static size_t step_that_holds(const struct trace_steps *steps, uint64_t pid, int64_t ns)
{
	const struct step *items = steps->list.items;
	size_t at = BISECT(i, steps->list.count, items[i].pid > pid || (items[i].pid == pid && items[i].begin_ns > ns));
	size_t back = 0;

	while (at && back < MAX_BACK && !step_holds(steps, at - 1, pid, ns)) {
		at--;
		back++;
	}
	if (!at || back == MAX_BACK)
		return steps->list.count;
	while (--at && items[at - 1].begin_ns == items[at].begin_ns && items[at - 1].pid == items[at].pid)
		;
	return at;
}

uint32_t trace_steps_at(struct trace_steps *steps, uint64_t pid, int64_t ns, bool early)
{
	size_t at;

	if (steps->sorted != steps->list.count)
		put_in_order(steps);
	at = steps->last;
	if (at >= steps->list.count || !step_holds(steps, at, pid, ns))
		at = step_that_holds(steps, pid, ns);
	if (at == steps->list.count) {
		steps->missed += early || steps->full;
		return 0;
	}
	steps->last = at;
	if (!steps->list.items[at].number)
		steps->list.items[at].number = ++steps->numbers;
	return steps->list.items[at].number;
}

uint32_t trace_steps_count(const struct trace_steps *steps)
{
	return steps->numbers;
}

uint64_t trace_steps_unplaced(const struct trace_steps *steps)
{
	return steps->list.count ? steps->missed : 0;
}
