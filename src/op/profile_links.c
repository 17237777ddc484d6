/* Strides and values of uses, links, and the order of operators. */
#include "op/profile_links.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/value/figure.h"
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

void profile_links_clear(struct profile *profile)
{
	for (size_t i = 0; i < RELATION_COUNT; i++) {
		free(profile->links[i].items);
		map_clear(&profile->links_by_hash[i]);
	}
	for (size_t i = 0; i < profile->states.count; i++) {
		free(profile->states.items[i].order.items);
		free(profile->states.items[i].arriving.items);
	}
}

/* --- strides and values of a use */

/* Returns whether text replaces the kept one: it is the first or smaller. */
static bool is_smaller(struct str text, struct str kept, bool *varies)
{
	if (!text.len || str_eq(text, kept))
		return false;
	*varies |= kept.len > 0;
	return !kept.len || str_cmp(text, kept) < 0;
}

void profile_add_details(struct profile *profile, struct profile_use *use, const struct op_row *row)
{
	struct str strides = use_strides(use), concrete = use_concrete(use);
	bool strides_vary = row->strides_vary, concrete_varies = row->concrete_varies;
	bool new_strides = is_smaller(row->strides, strides, &strides_vary);
	bool new_concrete = is_smaller(row->concrete, concrete, &concrete_varies);
	struct use_details *before = use->details;

	use->strides_vary |= strides_vary;
	use->concrete_varies |= concrete_varies;
	if (!new_strides && !new_concrete)
		return;
	strides = new_strides ? row->strides : strides;
	concrete = new_concrete ? row->concrete : concrete;
	profile->has_strides |= strides.len > 0;
	/* a piece of its own: an arena would grow with every smaller text */
	use->details = mem_resize(NULL, sizeof(*before) + strides.len + concrete.len, 1);
	use->details->strides_len = (uint32_t)strides.len;
	use->details->concrete_len = (uint32_t)concrete.len;
	memcpy(use->details->text, strides.ptr, strides.len);
	memcpy(use->details->text + strides.len, concrete.ptr, concrete.len);
	free(before);
}

void profile_add_kernels(struct profile_use *use, uint32_t more)
{
	const uint32_t most = (1 << 28) - 1; /* of 28 bits */
	uint64_t sum = (uint64_t)use->kernels + more;

	use->kernels = (sum < most ? (uint32_t)sum : most) & most;
}

void profile_add_use(struct profile *profile, struct profile_use *use, const struct profile_use *more)
{
	FIGURES_ADD(use, more);
	profile_add_kernels(use, more->kernels);
	profile_add_details(profile, use,
		&(struct op_row){ .strides = use_strides(more),
			.concrete = use_concrete(more),
			.strides_vary = more->strides_vary,
			.concrete_varies = more->concrete_varies });
}

/* --- links */

/* Position of the link among those of its relation, added if need be; false when it is over the limit. */
static bool link_index(struct profile *profile, enum relation relation, const struct op_link *link, size_t *ret)
{
	uint64_t hash = hash_str(hash_str(profile->seed, link->name), link->other);
	struct map *map = &profile->links_by_hash[relation];
	struct map_cursor at = map_start(map, hash);
	struct op_link new_link = { 0 };

	while (map_next(map, &at)) {
		const struct op_link *known = &profile->links[relation].items[at.index];

		if (str_eq(known->name, link->name) && str_eq(known->other, link->other)) {
			*ret = at.index;
			return true;
		}
	}
	if (profile->link_count >= profile->limits.links)
		return false;
	profile->link_count++;
	new_link.name = arena_keep(&profile->text, link->name);
	new_link.other = arena_keep(&profile->text, link->other);
	*ret = profile->links[relation].count;
	map_add(map, hash, (uint32_t)*ret);
	MEM_PUSH(&profile->links[relation], new_link);
	return true;
}

void profile_add_links(struct profile *profile, enum relation relation, const struct op_link *links, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct op_link *link;
		size_t at;

		if (!link_index(profile, relation, &links[i], &at)) {
			profile->link_calls_over_cap = figure_count(profile->link_calls_over_cap, links[i].calls);
			continue;
		}
		link = &profile->links[relation].items[at];
		link->calls = figure_count(link->calls, links[i].calls);
		link->self_cpu_ns = figure_add(link->self_cpu_ns, links[i].self_cpu_ns);
		link->self_device_ns = figure_add(link->self_device_ns, links[i].self_device_ns);
	}
}

static int link_order(const void *a, const void *b)
{
	const struct op_link *left = a, *right = b;

	return str_cmp(left->name, right->name) ?: str_cmp(left->other, right->other);
}

void profile_sort_links(struct profile *profile)
{
	for (size_t i = 0; i < RELATION_COUNT; i++) {
		map_clear(&profile->links_by_hash[i]); /* its positions hold no longer */
		MEM_SORT(&profile->links[i], link_order);
	}
}

const struct op_link *profile_links(const struct profile *profile, enum relation relation, size_t *ret_count)
{
	*ret_count = profile->links[relation].count;
	return profile->links[relation].items;
}

uint64_t profile_links_over_cap(const struct profile *profile)
{
	return profile->link_calls_over_cap;
}

/* --- order */

void profile_add_turn(struct profile *profile, unsigned stream, uint32_t use, uint32_t depth)
{
	struct turn_list *arriving = &profile->states.items[stream].arriving;

	if (arriving->count < profile->limits.step_turns)
		MEM_PUSH(arriving, ((struct profile_turn){ use, depth }));
}

void profile_order_ended(struct profile *profile, unsigned stream)
{
	struct stream_state *state = &profile->states.items[stream];
	struct turn_list arrived = state->arriving;

	if (arrived.count > state->order.count) {
		state->arriving = state->order;
		state->order = arrived;
	}
	state->arriving.count = 0;
}

const struct profile_turn *profile_order(const struct profile *profile, uint32_t stream, size_t *ret_count)
{
	*ret_count = profile->states.items[stream].order.count;
	return profile->states.items[stream].order.items;
}

/* --- devices of operators and kernels, as far as dumps show them */

/* "aten::fmax.out" of a message is the operator aten::fmax; other names keep their spelling. */
static struct str plain_name(const struct op_observation *observation, struct buf *text)
{
	struct name name;

	if (observation->kernel)
		return observation->name;
	name = name_classify(observation->name, (struct name_style){ 0 });
	if (name.name_class != NAME_OPERATOR || name.cut)
		return observation->name;
	name_put(text, &name);
	return buf_str(text);
}

static struct op_observation *find_observation(
	const struct profile *profile, uint64_t hash, struct str name, const struct op_observation *observation)
{
	struct map_cursor at = map_start(&profile->observations_by_name, hash);

	while (map_next(&profile->observations_by_name, &at)) {
		struct op_observation *known = &profile->observations.items[at.index];

		if (known->where == observation->where && known->kernel == observation->kernel &&
			str_eq(known->name, name) && str_eq(known->launch, observation->launch))
			return known;
	}
	return NULL;
}

void profile_add_observation(struct profile *profile, const struct op_observation *observation)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct str name = plain_name(observation, &text);
	uint64_t hash = hash_str(
		hash_str(profile->seed + observation->where * 2 + observation->kernel, name), observation->launch);
	struct op_observation *known = find_observation(profile, hash, name, observation), copy = *observation;

	if (known) {
		known->calls = figure_count(known->calls, observation->calls);
		known->device_ns = figure_add(known->device_ns, observation->device_ns);
		return;
	}
	if (profile->observations.count >= profile->limits.names) {
		profile->calls_over_cap = figure_count(profile->calls_over_cap, observation->calls);
		return;
	}
	copy.name = arena_keep(&profile->text, name);
	copy.launch = arena_keep(&profile->text, observation->launch);
	map_add(&profile->observations_by_name, hash, (uint32_t)profile->observations.count);
	MEM_PUSH(&profile->observations, copy);
}

static int observation_order(const void *a, const void *b)
{
	const struct op_observation *left = a, *right = b;

	return ORDER(left->kernel, right->kernel) ?:
	       str_cmp(left->name, right->name) ?:
	       str_cmp(left->launch, right->launch) ?:
	       ORDER(left->where, right->where);
}

void profile_sort_observations(struct profile *profile)
{
	MEM_SORT(&profile->observations, observation_order);
	map_clear(&profile->observations_by_name);
}

const struct op_observation *profile_observations(const struct profile *profile, size_t *ret_count)
{
	*ret_count = profile->observations.count;
	return profile->observations.items;
}
