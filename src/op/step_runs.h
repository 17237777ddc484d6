#pragma once
/*
 * The steps that something was in, as runs of neighbours in their order. There are as many lists as shapes in a dump,
 * and most have one run, which takes no memory of its own. Zeroed a list is empty.
 *
 * A list holds at most max_runs: of what comes then the last run covers steps in between, too, and the list is coarse.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct step_run {
	uint32_t first, last;
};

struct step_runs {
	union {
		struct step_run *many; /* on the heap */
		struct step_run only;  /* without a capacity */
	};
	uint32_t count;
	uint32_t capacity : 31;
	bool coarse : 1;
};

static inline const struct step_run *step_runs_items(const struct step_runs *runs)
{
	return runs->capacity ? runs->many : &runs->only;
}

void step_runs_clear(struct step_runs *runs);

/* Adds a step that is the last one, or is not earlier than it. */
void step_runs_add(struct step_runs *runs, size_t max_runs, uint32_t step);

/* The same for a step that may be earlier than others: threads of a trace come one after the other. */
void step_runs_add_any(struct step_runs *runs, size_t max_runs, uint32_t step);

/* Puts a step before all others. At the cap the last runs become one, as if the steps had come in their order. */
void step_runs_prepend(struct step_runs *runs, size_t max_runs, uint32_t step);

/* Adds the steps of a run, none of which is earlier than the last step. */
void step_runs_append(struct step_runs *runs, size_t max_runs, struct step_run run);

/* Makes room for one step at the front: all numbers grow by one. */
void step_runs_shift(struct step_runs *runs);
