#include "record/shared.h"

#include "base/memory/arena.h"
#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"

struct shared {
	struct arena *arena;
	struct map text_map, list_map;
	MEM_LIST(struct str) texts;
	MEM_LIST(struct shared_list) lists;
};

struct shared *shared_new(struct arena *arena)
{
	return MEM_NEW(struct shared, .arena = arena);
}

void shared_free(struct shared *shared)
{
	if (!shared)
		return;
	map_clear(&shared->text_map);
	map_clear(&shared->list_map);
	free(shared->texts.items);
	free(shared->lists.items);
	free(shared);
}

struct str shared_text(struct shared *shared, struct str text)
{
	uint32_t index = MAP_FIND(&shared->text_map, shared->texts.items, text);
	struct str kept;

	if (index != MAP_NONE)
		return shared->texts.items[index];
	kept = arena_keep(shared->arena, text);
	map_add_name(&shared->text_map, kept, (uint32_t)shared->texts.count);
	MEM_PUSH(&shared->texts, kept);
	return kept;
}

static uint64_t hash_list(struct str json, const struct record *record)
{
	return hash_str(hash_seed() ^ (uint64_t)(uintptr_t)record, json);
}

const struct shared_list *shared_find(const struct shared *shared, struct str json, const struct record *record)
{
	struct map_cursor at = map_start(&shared->list_map, hash_list(json, record));

	while (map_next(&shared->list_map, &at)) {
		const struct shared_list *list = &shared->lists.items[at.index];

		if (list->record == record && str_eq(list->json, json))
			return list;
	}
	return NULL;
}

void shared_add(struct shared *shared, const struct shared_list *list)
{
	struct shared_list kept = *list;

	kept.json = arena_keep(shared->arena, list->json);
	map_add(&shared->list_map, hash_list(kept.json, kept.record), (uint32_t)shared->lists.count);
	MEM_PUSH(&shared->lists, kept);
}
