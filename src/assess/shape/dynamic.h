#pragma once
/*
 * Operators whose shapes change from step to step, and the kind of change.
 *
 * For each operator the set of its shapes in a step is compared with that in the step before, rank by rank. Steps in
 * which torch.compile was compiling are left out: what they record was traced, not run. Kinds, in the order in which
 * they are tried:
 *
 *	data-dependent  PyTorch says that the shape of its result depends on values
 *	unknown         no shapes, fewer than two steps, several steps averaged, rows hidden by row_limit,
 *	                shapes cut by the column
 *	static          the same set in every step, or one shape of it absent in some
 *	late            absent from step 1, then the same set in every step
 *	warm-up         another set in step 1 only
 *	last-batch      changes only where epochs end: most operators shrink in one dimension there and return after
 *	bounded         the sets return: at most three quarters of the steps bring a new one
 *	unbounded       nearly every step brings a new set
 *
 * Differences between texts that a column cut are certain; equality is not.
 */
#include "assess/model/operators.h"

struct shape_size;

struct dynamic_options {
	/* row_limit or lost lines may have hidden rows: only sets without anything in common are a change */
	bool rows_hidden;
};

/* Fills ret[i] for operators->items[i] with any kind but data-dependent, which no dump shows. Texts live in the arena.
   */
void dynamic_analyse(struct arena *arena, const struct profile *profile, const struct operators *operators,
	struct dynamic_options options, struct result_dynamic *ret);

/* Makes an analysis that of an operator whose result has a shape that depends on values. */
void dynamic_set_data_dependent(struct result_dynamic *dynamic);

/* True for the kinds whose shapes change after the first step. */
bool dynamic_is_changing(enum dynamic_kind kind);

/* Returns whether the dimension at the place of a size is one that changes. */
bool dynamic_changes_at(const struct result_dynamic *dynamic, const struct shape_size *place);
