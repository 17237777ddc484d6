#include "base/memory/map.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"

enum { FIRST_SLOTS = 64 };

void map_clear(struct map *map)
{
	free(map->slots);
	*map = (struct map){ 0 };
}

void map_forget(struct map *map)
{
	if (map->count)
		memset(map->slots, 0, map->capacity * sizeof(map->slots[0]));
	map->count = 0;
}

static void place_entry(struct map *map, uint64_t entry)
{
	size_t slot = (entry >> 32) & (map->capacity - 1);

	while (map->slots[slot])
		slot = (slot + 1) & (map->capacity - 1);
	map->slots[slot] = entry;
}

/* The slots move in the order of their runs, which may go on at the beginning: from behind a free one. */
static void grow_map(struct map *map)
{
	struct map old = *map;
	size_t from = 0;

	map->capacity = old.capacity ? old.capacity * 2 : FIRST_SLOTS;
	map->slots = mem_resize(NULL, map->capacity, sizeof(map->slots[0]));
	memset(map->slots, 0, map->capacity * sizeof(map->slots[0])); /* each page faults once, not read and written */
	while (from < old.capacity && old.slots[from])
		from++;
	for (size_t i = 0; i < old.capacity; i++) {
		uint64_t entry = old.slots[(from + i) & (old.capacity - 1)];

		if (entry)
			place_entry(map, entry);
	}
	free(old.slots);
}

void map_add(struct map *map, uint64_t hash, uint32_t index)
{
	/* at most 5/8 full, so that a miss ends after a few steps */
	if (map->count >= map->capacity / 8 * 5)
		grow_map(map);
	place_entry(map, hash >> 32 << 32 | ((uint64_t)index + 1));
	map->count++;
}

void map_add_name(struct map *map, struct str name, uint32_t index)
{
	map_add(map, hash_str(hash_seed(), name), index);
}

uint32_t map_find_name(const struct map *map, const void *items, size_t item_bytes, struct str name)
{
	struct map_cursor at = map_start(map, hash_str(hash_seed(), name));

	while (map_next(map, &at)) {
		const struct str *known = (const void *)((const char *)items + at.index * item_bytes);

		if (str_eq(*known, name))
			return at.index;
	}
	return MAP_NONE;
}
