#pragma once
/* State that finds over which consecutive releases an answer holds, and one such answer. */
#include "opdb/model/chip.h"
#include "opdb/model/release.h"

struct name_facts;

/* The names whose facts an answer follows from. */
struct watch {
	const struct name_facts *names[16];
	size_t count;
	bool on, full;
	bool notes, units; /* these facts of them, too */
};

/* Operators that a composite always calls on the releases from first to last. */
struct known_calls {
	const struct release *first, *last;
	const struct chip *chip;
	struct str calls;
};
