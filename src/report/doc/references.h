#pragma once
/* Addresses that a page cites, each printed once in a list: elsewhere a link "[3]" leads there. */
#include "base/memory/arena.h"
#include "base/memory/map.h"

struct references {
	struct map by_address;
	struct reference {
		struct str address;
	} * items;
	size_t count;
};

/* Adds an address unless it is there; room for `most` was made. "" is none. */
struct references *references_new(struct arena *arena, size_t most);
void references_add(struct references *references, struct str address);
void references_clear(struct references *references);

/* Returns the number of an address, from 1; 0: absent, or no references. */
size_t references_number(const struct references *references, struct str address);
