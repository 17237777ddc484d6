#pragma once
/* Data transfers of a dump, in the form of the report. */
#include "dump/common/traffic.h"

struct result_collective {
	struct str name, dtype, group; /* "" where not recorded */
	struct str reduction;          /* "AVG", of an operator that says how it reduces; else "" */
	uint64_t ranks, calls, in_elements, out_elements;
};

struct result_copies {
	enum copy_kind kind;
	uint64_t calls, bytes;
	int64_t ns;
};

struct result_traffic {
	struct result_collective *collectives; /* in the order in which they were first called */
	size_t collective_count;
	uint64_t other_collectives; /* calls of further ones */
	struct result_copies *copies;
	size_t copies_count;
};
