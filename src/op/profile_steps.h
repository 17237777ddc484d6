#pragma once
/* Internal to a profile: which tables are steps. */
#include "op/profile_impl.h"

/* The current table of the stream has ended: it is a new step, one more view of the last one, or none. */
void profile_table_ended(struct profile *profile, unsigned stream);

/* Count a row of a stepped table in; end such a table. */
void profile_add_call(struct profile *profile, uint32_t use, bool compiling, const struct op_row *row);
void profile_stepped_ended(struct profile *profile, unsigned stream);

/* Count a held table in. The first one of a stream of a part is put aside instead. */
void profile_commit(struct profile *profile, uint32_t stream, unsigned which);

void profile_add_time(struct profile_time *time, const struct profile_time *more);

/* Count the step that was put aside in, before all others of its stream, if there is one. */
void profile_commit_first(struct profile *profile, uint32_t stream);
void profile_free_table(struct table *table); /* may be NULL */

/* Record of a use in table number which of its stream; NULL if it has none yet. */
static inline struct slot *profile_slot(
	const struct profile *profile, const struct table *table, unsigned which, uint32_t use)
{
	uint32_t place = profile->places[use][which];

	return place < table->slots.count && table->slots.items[place].use == use ? &table->slots.items[place] : NULL;
}

/* Give a use that it does not show a slot. */
struct slot *profile_add_slot(struct profile *profile, struct table *table, unsigned which, struct slot slot);
void profile_add_to_slot(struct slot *slot, const struct slot *more);
