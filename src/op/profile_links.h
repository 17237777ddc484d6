#pragma once
/* Links of a profile, the order of its operators, strides and values of its uses, devices of operators and kernels. */
#include "op/link.h"
#include "op/profile.h"

/* The word of a relation in reports: "parent". */
const char *relation_text(enum relation relation);

/* Links of all streams and dumps, summed up, in the byte order of name and other. */
const struct op_link *profile_links(const struct profile *profile, enum relation relation, size_t *ret_count);

/* Calls under no link because a cap was reached. */
uint64_t profile_links_over_cap(const struct profile *profile);

/* The operators of a whole step of a stream in the order in which they began, at most limits.step_turns of them. */
const struct profile_turn *profile_order(const struct profile *profile, uint32_t stream, size_t *ret_count);

/* Observations by operators (full names, without overloads) and kernels, sorted by name. */
const struct op_observation *profile_observations(const struct profile *profile, size_t *ret_count);

/* --- internal to a profile */

void profile_links_clear(struct profile *profile);

/* Add kernels; keep strides and values of a call; all of these and the figures of further calls of a use. */
void profile_add_kernels(struct profile_use *use, uint32_t more);
void profile_add_details(struct profile *profile, struct profile_use *use, const struct op_row *row);
void profile_add_use(struct profile *profile, struct profile_use *use, const struct profile_use *more);

void profile_add_links(struct profile *profile, enum relation relation, const struct op_link *links, size_t count);
void profile_sort_links(struct profile *profile);
void profile_add_observation(struct profile *profile, const struct op_observation *observation);
void profile_sort_observations(struct profile *profile);

/* One more operator of the current table's order (NO_USE: not in the profile); keep the order if it is the longest. */
void profile_add_turn(struct profile *profile, unsigned stream, uint32_t use, uint32_t depth);
void profile_order_ended(struct profile *profile, unsigned stream);
