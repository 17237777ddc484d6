/* Links and the order of operators; what is kept of them stands in profile_links.h. */
#include <stdlib.h>

#include "base/figure.h"
#include "base/hash.h"
#include "base/mem.h"
#include "op/profile_impl.h"

const char *relation_text(enum relation relation)
{
	static const char *const texts[] = {
		[RELATION_PARENT] = "parent",
		[RELATION_FORWARD] = "forward",
		[RELATION_MODULE] = "module",
		[RELATION_SOURCE] = "source",
	};

	return texts[relation];
}

/* Of an empty text there is no copy. */
static void release(struct str text)
{
	union {
		const char *kept;
		char *owned;
	} at = { text.ptr };

	if (text.len)
		free(at.owned);
}

void profile_links_clear(struct profile *profile)
{
	for (size_t i = 0; i < RELATION_COUNT; i++) {
		free(profile->links.of[i].items);
		map_clear(&profile->links.of[i].by_hash);
	}
	for (size_t i = 0; i < profile->states.count; i++) {
		free(profile->states.items[i].order.items);
		free(profile->states.items[i].telling.items);
	}
	for (size_t i = 0; i < profile->uses.count; i++) {
		release(profile->uses.items[i].strides);
		release(profile->uses.items[i].concrete);
	}
}

/* --- strides and values of a use */

static struct str copy(struct str text)
{
	char *own = mem_resize(NULL, text.len, 1);

	memcpy(own, text.ptr, text.len);
	return (struct str){ own, text.len };
}

/* Keeps the smaller text. It is a copy of its own: a dump may tell ever smaller ones. */
static void take_smaller(struct str *kept, bool *varies, struct str text)
{
	if (!text.len || str_eq(*kept, text))
		return;
	*varies |= kept->len > 0;
	if (kept->len && str_cmp(*kept, text) < 0)
		return;
	release(*kept);
	*kept = copy(text);
}

void profile_take_details(struct profile_use *use, const struct op_row *row)
{
	take_smaller(&use->strides, &use->strides_vary, row->strides);
	take_smaller(&use->concrete, &use->concrete_varies, row->concrete);
	use->strides_vary |= row->strides_vary;
	use->concrete_varies |= row->concrete_varies;
}

/* --- links */

static struct profile_link *link_find(struct profile *profile, struct link_list *list, const struct op_link *link)
{
	uint64_t hash = hash_str(hash_str(profile->seed, link->name), link->other);
	struct map_cursor at = map_start(&list->by_hash, hash);
	struct profile_link new_link = { 0 };

	while (map_next(&list->by_hash, &at)) {
		if (str_eq(list->items[at.index].name, link->name) && str_eq(list->items[at.index].other, link->other))
			return &list->items[at.index];
	}
	if (profile->links.count >= profile->limits.links)
		return NULL;
	profile->links.count++;
	new_link.name = arena_keep(&profile->text, link->name);
	new_link.other = arena_keep(&profile->text, link->other);
	map_add(&list->by_hash, hash, (uint32_t)list->count);
	MEM_PUSH(list, new_link);
	return &list->items[list->count - 1];
}

void profile_take_links(struct profile *profile, enum relation relation, const struct op_link *links, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct profile_link *link = link_find(profile, &profile->links.of[relation], &links[i]);

		if (!link) {
			profile->links.calls_over_cap = figure_count(profile->links.calls_over_cap, links[i].calls);
			continue;
		}
		link->calls = figure_count(link->calls, links[i].calls);
		link->self_cpu_ns = figure_add(link->self_cpu_ns, links[i].self_cpu_ns);
		link->self_device_ns = figure_add(link->self_device_ns, links[i].self_device_ns);
	}
}

static int by_texts(const void *a, const void *b)
{
	const struct profile_link *left = a, *right = b;
	int order = str_cmp(left->name, right->name);

	return order ? order : str_cmp(left->other, right->other);
}

void profile_sort_links(struct profile *profile)
{
	for (size_t i = 0; i < RELATION_COUNT; i++) {
		struct link_list *list = &profile->links.of[i];

		map_clear(&list->by_hash); /* its positions hold no longer */
		if (list->count)
			qsort(list->items, list->count, sizeof(list->items[0]), by_texts);
	}
}

const struct profile_link *profile_links(const struct profile *profile, enum relation relation, size_t *ret_count)
{
	*ret_count = profile->links.of[relation].count;
	return profile->links.of[relation].items;
}

uint64_t profile_links_over_cap(const struct profile *profile)
{
	return profile->links.calls_over_cap;
}

/* --- order */

void profile_take_turn(struct profile *profile, unsigned stream, uint32_t use, uint32_t depth)
{
	struct turn_list *telling = &profile->states.items[stream].telling;

	if (telling->count < profile->limits.step_turns)
		MEM_PUSH(telling, ((struct profile_turn){ use, depth }));
}

void profile_order_ended(struct profile *profile, unsigned stream)
{
	struct stream_state *state = &profile->states.items[stream];
	struct turn_list told = state->telling;

	if (told.count > state->order.count) {
		state->telling = state->order;
		state->order = told;
	}
	state->telling.count = 0;
}

const struct profile_turn *profile_order(const struct profile *profile, uint32_t stream, size_t *ret_count)
{
	*ret_count = profile->states.items[stream].order.count;
	return profile->states.items[stream].order.items;
}
