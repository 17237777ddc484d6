#pragma once
/*
 * Internal functions of a profile. Rows become records in profile_records.c, tables become steps in profile_steps.c;
 * profile_merge.c takes one profile into another, profile_join.c makes one of two that show one run.
 */
#include "op/profile_impl.h"

/* --- profile_records.c */

/* The use that such rows are counted in, added if need be; false when it is over the limits. */
bool profile_use_of(
	struct profile *profile, unsigned stream, const struct op_row *row, unsigned spelling, uint32_t *ret_use);

/* The use of all names of a class that are over the limits. */
uint32_t profile_further_use(struct profile *profile, unsigned stream, enum name_class name_class);

/* --- profile_steps.c */

/* The current table of the stream has ended: it is a new step, one more view of the last one, or none. */
void profile_table_ended(struct profile *profile, unsigned stream);

/* Counts a row of a stepped table in; such a table has ended. */
void profile_add_call(struct profile *profile, uint32_t use, bool compiling, const struct op_row *row);
void profile_stepped_ended(struct profile *profile, unsigned stream);

/* Counts a held table in. The first one of a stream of a part is put aside instead. */
void profile_commit(struct profile *profile, uint32_t stream, unsigned which);

/* Counts the step that was put aside in, before all others of its stream, if there is one. */
void profile_commit_first(struct profile *profile, uint32_t stream);
void profile_free_table(struct table *table); /* may be NULL */

/* Record of a use in table number which of its stream; NULL if it has none yet. */
static inline struct slot *profile_slot(
	const struct profile *profile, const struct table *table, unsigned which, uint32_t use)
{
	uint32_t place = profile->places[use][which];

	return place < table->slots.count && table->slots.items[place].use == use ? &table->slots.items[place] : NULL;
}

/* Gives a use that it does not show a slot. */
struct slot *profile_add_slot(struct profile *profile, struct table *table, unsigned which, struct slot slot);
void profile_add_to_slot(struct slot *slot, const struct slot *more);

/* --- profile_merge.c */

/* The use of a profile that such calls of another one are counted in, added if need be; NO_USE over the limits. */
uint32_t profile_use_like(
	struct profile *profile, unsigned stream, const struct profile *part, const struct profile_use *use);

/* --- profile_links.c */

void profile_links_clear(struct profile *profile);
/* Strides and values of a call; these and the figures of further calls of a use. */
void profile_add_details(struct profile *profile, struct profile_use *use, const struct op_row *row);
void profile_add_use(struct profile *profile, struct profile_use *use, const struct profile_use *more);

void profile_add_links(struct profile *profile, enum relation relation, const struct op_link *links, size_t count);
void profile_sort_links(struct profile *profile);

/* One more operator of the current table's order (NO_USE: not in the profile); keeps the order if it is the longest. */
void profile_add_turn(struct profile *profile, unsigned stream, uint32_t use, uint32_t depth);
void profile_order_ended(struct profile *profile, unsigned stream);

/* --- profile_observations.c */

void profile_add_observation(struct profile *profile, const struct op_observation *observation);
void profile_sort_observations(struct profile *profile);
