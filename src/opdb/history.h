#pragma once
/* Inside the resolver: the statuses of a name along all releases of a target, kept once they were asked for. */
#include "opdb/chip.h"
#include "opdb/facts.h"
#include "opdb/resolve.h"

/* What was asked, and the answers by place of the release. */
struct walk {
	const struct name_facts *name;
	struct str overload;
	const struct chip *chip;
	enum target_kind target;
	enum reading reading;
	unsigned char *statuses; /* enum op_status */
};

struct walks {
	struct walk *items;
	size_t count, capacity;
	struct map map; /* by name */
};

void walks_clear(struct walks *walks);
