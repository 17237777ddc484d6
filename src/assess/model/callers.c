#include "assess/model/callers.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "op/profile_links.h"

/* The links of one operator that hold for most calls. */
struct most_called {
	const struct op_link *links[CALLERS_LISTED];
	size_t count;
};

struct gathering {
	const struct profile_name *names;
	struct map by_name; /* recorded names of operators: positions in owners */
	MEM_LIST(struct owner {
		struct str name;
		size_t op;
	})
	owners;
	struct most_called *modules, *lines; /* of each operator */
};

static void index_names(struct gathering *gathering, const struct profile *profile, const struct operators *operators)
{
	size_t count;
	const struct profile_use *uses = profile_uses(profile, &count);

	gathering->names = profile_names(profile, &count);
	for (size_t i = 0; i < operators->count; i++) {
		const struct op *op = &operators->items[i];
		uint32_t last = UINT32_MAX;

		for (size_t j = 0; j < op->use_count; j++) {
			uint32_t name = uses[op->uses[j]].name;
			struct owner owner = { gathering->names[name].text, i };

			if (name == last)
				continue;
			last = name;
			map_add_name(&gathering->by_name, owner.name, (uint32_t)gathering->owners.count);
			MEM_PUSH(&gathering->owners, owner);
		}
	}
}

/* Links come in the byte order of their places, which decides among equals. */
static void offer(struct most_called *list, const struct op_link *link)
{
	size_t at = list->count;

	for (size_t i = 0; i < list->count; i++) {
		if (str_eq(list->links[i]->other, link->other))
			return;
	}
	while (at && list->links[at - 1]->calls < link->calls)
		at--;
	if (at == CALLERS_LISTED)
		return;
	list->count += list->count < CALLERS_LISTED;
	memmove(&list->links[at + 1], &list->links[at], (list->count - at - 1) * sizeof(list->links[0]));
	list->links[at] = link;
}

static void gather_links(
	struct gathering *gathering, const struct op_link *links, size_t count, struct most_called *lists)
{
	uint32_t owner = MAP_NONE;

	for (size_t i = 0; i < count; i++) {
		if (!i || !str_eq(links[i].name, links[i - 1].name))
			owner = MAP_FIND(&gathering->by_name, gathering->owners.items, links[i].name);
		if (owner != MAP_NONE)
			offer(&lists[gathering->owners.items[owner].op], &links[i]);
	}
}

static struct str *texts_of(struct arena *arena, const struct most_called *list, size_t *ret_count)
{
	struct str *texts = arena_alloc(arena, list->count * sizeof(texts[0]));

	for (size_t i = 0; i < list->count; i++)
		texts[i] = arena_keep(arena, list->links[i]->other);
	*ret_count = list->count;
	return texts;
}

void callers_put(struct arena *arena, const struct profile *profile, const struct operators *operators,
	const size_t *order, struct result_operator *results)
{
	size_t module_count, line_count;
	const struct op_link *modules = profile_links(profile, RELATION_MODULE, &module_count);
	const struct op_link *lines = profile_links(profile, RELATION_SOURCE, &line_count);
	struct gathering gathering = { 0 };

	if (!module_count && !line_count)
		return;
	index_names(&gathering, profile, operators);
	gathering.modules = mem_zalloc((operators->count + 1) * sizeof(gathering.modules[0]));
	gathering.lines = mem_zalloc((operators->count + 1) * sizeof(gathering.lines[0]));
	gather_links(&gathering, modules, module_count, gathering.modules);
	gather_links(&gathering, lines, line_count, gathering.lines);
	for (size_t i = 0; i < operators->count; i++) {
		const struct most_called *of_modules = &gathering.modules[order[i]],
					 *of_lines = &gathering.lines[order[i]];
		struct result_callers *callers;

		if (!of_modules->count && !of_lines->count)
			continue;
		callers = arena_alloc(arena, sizeof(*callers));
		callers->modules = texts_of(arena, of_modules, &callers->module_count);
		callers->lines = texts_of(arena, of_lines, &callers->line_count);
		results[i].callers = callers;
	}
	free(gathering.modules);
	free(gathering.lines);
	free(gathering.owners.items);
	map_clear(&gathering.by_name);
}
