#pragma once
/*
 * What a profile keeps of links and of the order of operators (op/link.h); part of op/profile.h.
 *
 * Links of all streams and dumps are summed up. Their number has a cap (limits.links): calls under links that came after it are
 * counted. None of it depends on the order in which links were told.
 */
#include "op/link.h"

struct profile;

struct profile_link {
	struct str name, other;
	uint64_t calls;
	int64_t self_cpu_ns, self_device_ns;
};

/* Sorted by name, then by other, in byte order; after profile_finish. */
const struct profile_link *profile_links(const struct profile *profile, enum relation relation, size_t *ret_count);

/* Calls under links that came after the cap was reached. */
uint64_t profile_links_over_cap(const struct profile *profile);

struct profile_turn {
	uint32_t use; /* position in profile_uses; NO_USE when the caps of the profile left it out */
	uint32_t depth;
};

/* The operators of one whole step of a stream in the order in which they began, at most limits.step_turns of them. Of several
   dumps that continue a stream the longest order is kept. Count 0: no dump told one. */
const struct profile_turn *profile_order(const struct profile *profile, uint32_t stream, size_t *ret_count);
