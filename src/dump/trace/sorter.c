#include "dump/trace/sorter.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "io/tempfile.h"

enum {
	RUN_SPANS = 256, /* of one run that are read at a time */
	MAX_RUNS = 1024,
};

/* Sorted spans: a piece of the file behind a buffer, or, at < 0, what is in memory. */
struct run {
	off_t at, end; /* the unread rest of the file */
	struct trace_span *items;
	size_t next, count;
};

_Static_assert(sizeof(struct trace_span) == LIMITS_EVENT_BYTES, "what base/setup/limits.c takes for one event");

struct trace_sorter {
	const struct trace_ops *ops;
	size_t most;        /* spans in memory */
	uint64_t file_most; /* bytes */
	MEM_LIST(struct trace_span) held;
	bool disordered;
	int file; /* -1: none */
	off_t file_end;
	struct trace_span last_written;
	MEM_LIST(struct run) runs;
	uint32_t *heap; /* runs, the one with the earliest span first */
	size_t heap_count;
	bool merging;
	uint64_t lost;
};

struct trace_sorter *trace_sorter_new(const struct limits *limits, const struct trace_ops *ops)
{
	return MEM_NEW(struct trace_sorter, .ops = ops, .most = (size_t)limits->sort_bytes / sizeof(struct trace_span),
		.file_most = limits->spill_bytes, .file = -1);
}

/* Back to none. */
static void clear_runs(struct trace_sorter *sorter)
{
	for (size_t i = 0; i < sorter->runs.count; i++) {
		if (sorter->runs.items[i].items != sorter->held.items)
			free(sorter->runs.items[i].items);
	}
	sorter->runs.count = sorter->held.count = 0;
	sorter->file_end = 0;
	sorter->disordered = sorter->merging = false;
}

void trace_sorter_free(struct trace_sorter *sorter)
{
	clear_runs(sorter);
	tempfile_close(sorter->file);
	free(sorter->held.items);
	free(sorter->runs.items);
	free(sorter->heap);
	free(sorter);
}

/* --- order */

/* Likely depth of a name: spans of the engine and of users, autograd nodes, operators, "aten::_x" in "aten::x". */
static unsigned rank_of(const struct trace_ops *ops, uint32_t op)
{
	struct trace_traits traits = trace_ops_traits(ops, op);

	return !traits.name ? 0 : traits.is_node ? 1 : 2 + str_has(trace_ops_text(ops, op), STR("::_"));
}

static int by_name(const struct trace_ops *ops, uint32_t left, uint32_t right)
{
	return (int)rank_of(ops, left) - (int)rank_of(ops, right)
		       ?: str_cmp(trace_ops_text(ops, left), trace_ops_text(ops, right));
}

static int by_identity(const struct trace_ops *ops, const struct trace_span *left, const struct trace_span *right)
{
	int order = ORDER(left->kind, right->kind) ?: ORDER(left->link, right->link)
		    ?: ORDER(left->index, right->index);

	return order || left->kind == SPAN_WORK ? order : by_name(ops, left->op, right->op);
}

static inline int by_time(const struct trace_ops *ops, const struct trace_span *left, const struct trace_span *right)
{
	if (left->begin_ns != right->begin_ns)
		return left->begin_ns < right->begin_ns ? -1 : 1;
	if (left->dur_ns != right->dur_ns)
		return left->dur_ns > right->dur_ns ? -1 : 1;
	return by_identity(ops, left, right);
}

static int by_time_for_qsort(const void *a, const void *b, void *ops)
{
	return by_time(ops, a, b);
}

static void sort_held(struct trace_sorter *sorter)
{
	if (sorter->disordered)
		qsort_r(sorter->held.items, sorter->held.count, sizeof(sorter->held.items[0]), by_time_for_qsort,
			(void *)(uintptr_t)sorter->ops);
	sorter->disordered = false;
}

/* --- into the file */

static bool write_held(const struct trace_sorter *sorter, size_t bytes)
{
	const char *from = (const char *)sorter->held.items;

	for (size_t done = 0; done < bytes;) {
		ssize_t written = pwrite(sorter->file, from + done, bytes - done, sorter->file_end + (off_t)done);

		if (written <= 0)
			return false;
		done += (size_t)written;
	}
	return true;
}

/* Moves what is in memory to the file, as a run or, in a trace that is in order, as more of the run before. */
static bool spill(struct trace_sorter *sorter)
{
	size_t bytes = sorter->held.count * sizeof(sorter->held.items[0]);
	bool follows;

	sort_held(sorter);
	follows = sorter->runs.count && by_time(sorter->ops, &sorter->last_written, &sorter->held.items[0]) <= 0;
	if ((uint64_t)sorter->file_end + bytes > sorter->file_most || (!follows && sorter->runs.count == MAX_RUNS))
		return false;
	if (sorter->file < 0)
		sorter->file = tempfile_open();
	if (sorter->file < 0 || !write_held(sorter, bytes)) {
		sorter->file_most = 0; /* it will not get better */
		return false;
	}
	if (!follows)
		MEM_PUSH(&sorter->runs, ((struct run){ .at = sorter->file_end }));
	sorter->file_end += (off_t)bytes;
	sorter->runs.items[sorter->runs.count - 1].end = sorter->file_end;
	sorter->last_written = sorter->held.items[sorter->held.count - 1];
	sorter->held.count = 0;
	return true;
}

bool trace_sorter_add(struct trace_sorter *sorter, const struct trace_span *span)
{
	if (sorter->held.count >= sorter->most && !spill(sorter))
		return false;
	if (sorter->held.count)
		sorter->disordered |= by_time(sorter->ops, &sorter->held.items[sorter->held.count - 1], span) > 0;
	MEM_PUSH(&sorter->held, *span);
	return true;
}

/* --- out of it */

/* The next piece of a run. False at its end. */
static bool refill_run(struct trace_sorter *sorter, struct run *run)
{
	size_t left = (size_t)(run->end - run->at), bytes = left;
	ssize_t got;

	if (!left)
		return false;
	if (bytes > RUN_SPANS * sizeof(run->items[0]))
		bytes = RUN_SPANS * sizeof(run->items[0]);
	if (!run->items)
		run->items = mem_resize(NULL, RUN_SPANS, sizeof(run->items[0]));
	got = pread(sorter->file, run->items, bytes, run->at);
	if (got != (ssize_t)bytes) {
		sorter->lost += left / sizeof(run->items[0]);
		run->at = run->end;
		return false;
	}
	run->at += got;
	run->next = 0;
	run->count = bytes / sizeof(run->items[0]);
	return true;
}

static bool comes_before(const struct trace_sorter *sorter, uint32_t left, uint32_t right)
{
	const struct run *a = &sorter->runs.items[left], *b = &sorter->runs.items[right];
	int order = by_time(sorter->ops, &a->items[a->next], &b->items[b->next]);

	return order ? order < 0 : left < right;
}

static void sift_down(struct trace_sorter *sorter, size_t at)
{
	uint32_t *heap = sorter->heap, moved = heap[at];

	for (size_t child; (child = 2 * at + 1) < sorter->heap_count; at = child) {
		if (child + 1 < sorter->heap_count && comes_before(sorter, heap[child + 1], heap[child]))
			child++;
		if (!comes_before(sorter, heap[child], moved))
			break;
		heap[at] = heap[child];
	}
	heap[at] = moved;
}

static void start_merging(struct trace_sorter *sorter)
{
	sort_held(sorter);
	if (sorter->held.count)
		MEM_PUSH(&sorter->runs, ((struct run){ .items = sorter->held.items, .count = sorter->held.count }));
	sorter->heap = mem_resize(sorter->heap, sorter->runs.count, sizeof(sorter->heap[0]));
	sorter->heap_count = 0;
	for (size_t i = 0; i < sorter->runs.count; i++) {
		if (sorter->runs.items[i].count || refill_run(sorter, &sorter->runs.items[i]))
			sorter->heap[sorter->heap_count++] = (uint32_t)i;
	}
	for (size_t i = sorter->heap_count / 2; i-- > 0;)
		sift_down(sorter, i);
	sorter->merging = true;
}

bool trace_sorter_next(struct trace_sorter *sorter, struct trace_span *ret)
{
	struct run *run;

	if (!sorter->merging)
		start_merging(sorter);
	if (!sorter->heap_count) {
		clear_runs(sorter);
		return false;
	}
	run = &sorter->runs.items[sorter->heap[0]];
	*ret = run->items[run->next++];
	if (run->next == run->count && !refill_run(sorter, run))
		sorter->heap[0] = sorter->heap[--sorter->heap_count];
	if (sorter->heap_count > 1)
		sift_down(sorter, 0);
	return true;
}

uint64_t trace_sorter_lost(const struct trace_sorter *sorter)
{
	return sorter->lost;
}
