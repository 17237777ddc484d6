#include "assess/plan/survey_set.h"

void survey_push(struct survey_set *set, size_t item)
{
	set->items[set->count++] = (uint32_t)item;
}

struct survey_set survey_subtract(struct arena *arena, const struct survey_set *a, const struct survey_set *b)
{
	struct survey_set set = { .items = arena_alloc(arena, (a->count + 1) * sizeof(set.items[0])) };
	size_t at = 0;

	for (size_t i = 0; i < a->count; i++) {
		while (at < b->count && b->items[at] < a->items[i])
			at++;
		if (at == b->count || b->items[at] != a->items[i])
			survey_push(&set, a->items[i]);
	}
	return set;
}

struct survey_set survey_unite(struct arena *arena, const struct survey_set *a, const struct survey_set *b)
{
	struct survey_set all = { .items = arena_alloc(arena, (a->count + b->count + 1) * sizeof(all.items[0])) };

	for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
		bool first = j == b->count || (i < a->count && a->items[i] < b->items[j]);

		survey_push(&all, first ? a->items[i++] : b->items[j++]);
	}
	return all;
}
