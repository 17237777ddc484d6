#pragma once
/* The arguments of a call by shapes and types as a dump tells them: how many bytes they have, which types. */
#include "base/memory/arena.h"
#include "base/memory/buf.h"
#include "op/profile.h"

struct use_bytes {
	uint64_t all;     /* of all tensors, at most FIGURE_MAX */
	uint64_t largest; /* of the largest one */
	uint64_t assumed; /* of those in all whose type is not recorded: they count with ASSUMED_BYTES an element */
	bool known;       /* there are shapes, and they were not cut */
};

enum { ASSUMED_BYTES = 4 };

/* The bytes that one call with these shapes and types has. scratch is used and given back. */
struct use_bytes use_bytes_of(struct arena *scratch, const struct profile_use *use);

/* Appends the type of each argument, "fp32, int64, -": as people write it where it is a known one, else as recorded;
   "-" for what is no tensor or has no type. Nothing where the dump has no types. */
void use_put_types(struct buf *text, const struct profile_use *use);
