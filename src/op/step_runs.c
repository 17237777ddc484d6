#include "op/step_runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/mem.h"

void step_runs_clear(struct step_runs *runs)
{
	if (runs->capacity)
		free(runs->many);
}

static struct step_run *items_of(struct step_runs *runs)
{
	return runs->capacity ? runs->many : &runs->only;
}

static void push_run(struct step_runs *runs, struct step_run run)
{
	enum { FIRST_ROOM = 2 };
	struct step_run *items;

	if (runs->count && runs->count >= runs->capacity) {
		uint32_t capacity = runs->capacity ? runs->capacity * 2 : FIRST_ROOM;

		items = mem_resize(runs->capacity ? runs->many : NULL, capacity, sizeof(items[0]));
		if (!runs->capacity)
			items[0] = runs->only;
		runs->many = items;
		runs->capacity = capacity & INT32_MAX; /* the bits it has: max_runs is less */
	}
	items_of(runs)[runs->count++] = run;
}

void step_runs_add(struct step_runs *runs, size_t max_runs, uint32_t step)
{
	struct step_run *last = runs->count ? &items_of(runs)[runs->count - 1] : NULL;

	if (last && last->last >= step)
		return;
	if (last && (last->last + 1 == step || runs->count >= max_runs)) {
		runs->coarse |= last->last + 1 != step;
		last->last = step;
		return;
	}
	push_run(runs, (struct step_run){ step, step });
}

void step_runs_add_any(struct step_runs *runs, size_t max_runs, uint32_t step)
{
	struct step_run *items = items_of(runs);
	uint32_t at = runs->count;
	struct step_run run = { step, step }, next;

	while (at && items[at - 1].first > step)
		at--;
	if (at == runs->count || (at && items[at - 1].last >= step)) {
		step_runs_add(runs, max_runs, step);
		return;
	}
	if (at && items[at - 1].last + 1 == step) {
		items[at - 1].last = step;
		if (items[at].first == step + 1) {
			items[at - 1].last = items[at].last;
			memmove(&items[at], &items[at + 1], (--runs->count - at) * sizeof(items[0]));
		}
		return;
	}
	if (items[at].first == step + 1 || runs->count >= max_runs) {
		runs->coarse |= items[at].first != step + 1;
		items[at].first = step;
		return;
	}
	for (; at < runs->count; at++, run = next) {
		next = items[at];
		items[at] = run;
	}
	push_run(runs, run);
}

void step_runs_append(struct step_runs *runs, size_t max_runs, struct step_run run)
{
	step_runs_add(runs, max_runs, run.first);
	if (items_of(runs)[runs->count - 1].last < run.last)
		items_of(runs)[runs->count - 1].last = run.last;
}

void step_runs_prepend(struct step_runs *runs, size_t max_runs, uint32_t step)
{
	struct step_run *items = items_of(runs);

	if (runs->count && items[0].first <= step + 1) {
		items[0].first = step;
		return;
	}
	if (runs->count >= max_runs) {
		runs->count--;
		items[runs->count - 1].last = items[runs->count].last;
		runs->coarse = true;
	}
	push_run(runs, (struct step_run){ step, step });
	items = items_of(runs);
	memmove(&items[1], &items[0], (runs->count - 1) * sizeof(items[0]));
	items[0] = (struct step_run){ step, step };
}

void step_runs_shift(struct step_runs *runs)
{
	struct step_run *items = items_of(runs);

	for (size_t i = 0; i < runs->count; i++) {
		items[i].first++;
		items[i].last++;
	}
}
