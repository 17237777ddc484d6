#pragma once
/* What merging profiles (profile_merge.c) needs of their inside, and the other way round. */
#include "op/profile_impl.h"

/* The first step of a stream, which another dump may have shown, too. */
struct first_step {
	struct table table;
	struct slot *slots; /* per use of the table */
};

void first_step_free(struct first_step *first);

/* One list a stream, and what it leaves out is left out of every answer: it may be longer than those of the uses. */
enum { PROFILE_COMPILING_RUNS = 4096 };

/* Adds a run of steps behind those that are there. */
void profile_add_run(struct step_runs *runs, size_t max_runs, struct step_run run);

/* The use that such rows are counted in, added if need be; false when it is over the limits. */
bool profile_use_of(
	struct profile *profile, unsigned stream, const struct op_row *row, unsigned spelling, uint32_t *ret_use);

/* The use of all names of a class that are over the limits. */
uint32_t profile_further_use(struct profile *profile, unsigned stream, enum name_class name_class);

/* Puts a held table aside instead of counting it in: the first step of the stream of a part. False when it is none. */
bool profile_keep_first(struct profile *profile, uint32_t stream, unsigned which);
