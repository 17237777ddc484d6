#pragma once
/* Internal to a profile: records of rows. */
#include "op/profile_impl.h"

/* Count rows of the current table of a stream in. */
void profile_add_rows(struct profile *profile, unsigned stream, const struct op_row *rows, size_t count);

/* The use that such rows are counted in, added if need be; NO_USE over the limits. */
uint32_t profile_use_of(struct profile *profile, unsigned stream, const struct op_row *row, unsigned spelling);

/* The use of all names of a class that are over the limits. */
uint32_t profile_further_use(struct profile *profile, unsigned stream, enum name_class name_class);

/* The use of the rows of such a call, or NO_USE; they may be older than the reader's first overload. */
uint32_t profile_use_of_turn(
	const struct profile *profile, unsigned stream, const struct op_turn *turn, unsigned spelling);
