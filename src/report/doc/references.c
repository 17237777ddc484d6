#include "report/doc/references.h"

struct references *references_new(struct arena *arena, size_t most)
{
	struct references *references = arena_alloc(arena, sizeof(*references));

	references->items = arena_alloc(arena, (most + 1) * sizeof(references->items[0]));
	return references;
}

void references_add(struct references *references, struct str address)
{
	if (!address.len || references_number(references, address))
		return;
	map_add_name(&references->by_address, address, (uint32_t)references->count);
	references->items[references->count++].address = address;
}

void references_clear(struct references *references)
{
	if (references)
		map_clear(&references->by_address);
}

size_t references_number(const struct references *references, struct str address)
{
	uint32_t at = references ? MAP_FIND(&references->by_address, references->items, address) : MAP_NONE;

	return at == MAP_NONE ? 0 : (size_t)at + 1;
}
