#pragma once
/*
 * An index from hashes to positions in an array that the caller keeps.
 *
 * The map stores no keys: it answers which positions may hold a key, and the caller compares. One look-up reads
 *
 *	struct map_cursor at = map_start(&map, hash);
 *	while (map_next(&map, &at))
 *		if (str_eq(items[at.index].name, name))
 *			return &items[at.index];
 *	map_add(&map, hash, new_index);
 *
 * Positions are never removed, and those of one hash come in the order in which they were added. At most 2^31 of
 * them.
 */
#include "base/view/str.h"

struct map {
	/* upper half of the hash << 32 | position + 1; 0: free. The slot's place comes from that half too. */
	uint64_t *slots;
	size_t count;
	size_t capacity; /* a power of two, or 0 */
};

struct map_cursor {
	uint32_t tag;
	uint32_t index; /* a candidate, after map_next was true */
	size_t slot;
};

void map_clear(struct map *map);

/* Forgets the positions and keeps the room for others. */
void map_forget(struct map *map);

static inline struct map_cursor map_start(const struct map *map, uint64_t hash)
{
	uint32_t tag = (uint32_t)(hash >> 32);

	return (struct map_cursor){ .tag = tag, .slot = map->capacity ? tag & (map->capacity - 1) : 0 };
}

/* Fetches the place of a hash into the cache. */
static inline void map_prefetch(const struct map *map, uint64_t hash)
{
	if (map->capacity)
		__builtin_prefetch(&map->slots[(uint32_t)(hash >> 32) & (map->capacity - 1)]);
}

/* Move to the next position whose hash may be the one looked for; false at the end. */
static inline bool map_next(const struct map *map, struct map_cursor *at)
{
	while (map->capacity) {
		uint64_t slot = map->slots[at->slot];

		if (!slot)
			return false;
		at->slot = (at->slot + 1) & (map->capacity - 1);
		if (slot >> 32 == at->tag) {
			at->index = (uint32_t)slot - 1;
			return true;
		}
	}
	return false;
}

/* Notes that the item at index has this hash. */
void map_add(struct map *map, uint64_t hash, uint32_t index);

/* For items that begin with the struct str they are known by: notes one; the position of one, or MAP_NONE. */
#define MAP_NONE UINT32_MAX
void map_add_name(struct map *map, struct str name, uint32_t index);
uint32_t map_find_name(const struct map *map, const void *items, size_t item_bytes, struct str name);
#define MAP_FIND(map, items, name) map_find_name((map), (items), sizeof((items)[0]), (name))
