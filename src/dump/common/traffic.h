#pragma once
/* Work on the device in a dump: collectives between ranks, copies between memories, and their time. */
#include "base/value/utf8.h"

enum { MAX_COLLECTIVES = 16 };

/* Copies by where they go, going by their names. */
enum copy_kind {
	COPY_TO_DEVICE,
	COPY_TO_HOST,
	COPY_ON_DEVICE,
	COPY_ON_HOST,
	COPY_FILL,
	COPY_UNKNOWN,
	COPY_CALL,
	COPY_KINDS
};

struct dump_copies {
	uint64_t calls, bytes; /* bytes where the dump says */
	int64_t ns;            /* on the device; of COPY_CALL, calls of the host, on the host */
};

/* Calls of one collective in one group of ranks. Elements are sums. An operator that says how it reduces stands for
   itself, beside the calls that it makes: without elements. */
struct dump_collective {
	struct shown name, dtype, group;
	struct shown reduction; /* "AVG"; "" where not recorded */
	uint64_t ranks, calls, in_elements, out_elements;
};

struct dump_traffic {
	struct dump_collective collectives[MAX_COLLECTIVES];
	unsigned collective_count;
	uint64_t other_collectives; /* calls of further ones */
	struct dump_copies copies[COPY_KINDS];
};

/* Time of work on the device, by what launched it. Zero where a dump does not show single pieces of work. */
struct dump_device_time {
	int64_t operators_ns, collectives_ns;
	int64_t graphs_ns;    /* captured graphs: which operators they are of was not recorded */
	int64_t unlinked_ns;  /* neither; of it: */
	int64_t compiled_ns;  /* code that torch.compile made */
	int64_t functions_ns; /* functions of autograd and labels that launched kernels themselves */
	int64_t before_ns;    /* kernels at the begin, of names that operators launch later: launched before the dump */
};
