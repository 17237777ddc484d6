#pragma once
/* Share of a table's stated time that its rows hold. */
#include "op/profile_impl.h"

/* Adds what the table shows, and what it does not, to its dump. Nothing of a stepped table, whose
   reader counts that, and of tasks and calls of the runtime, which show the work of other tables once more. */
void profile_add_time(struct profile_time *time, const struct profile_time *more);

void profile_count_shown(const struct profile *profile, const struct table *table);
