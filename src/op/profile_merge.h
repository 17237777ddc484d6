#pragma once
/* One profile taken into another. */
#include "op/profile.h"

/* Make a profile without a sink a part: to be merged into another one, never to be finished itself. */
void profile_be_part(struct profile *profile);

/* Add a part, as if its dumps had been read into profile_sink(profile, label_prefix); after that it can only be freed.
   Parts can be filled in threads of their own; they are merged in the order of their dumps. */
void profile_merge(struct profile *profile, struct profile *part, struct str label_prefix);

/* A number for all that a part holds: parts of the same content have the same one, whatever the run. */
uint64_t profile_content(const struct profile *part);

/* The use of a profile that such calls of another one are counted in, added if need be; NO_USE over the limits. */
uint32_t profile_use_like(
	struct profile *profile, unsigned stream, const struct profile *part, const struct profile_use *use);
