/* Devices of operators and kernels, as far as dumps show them. */
#include "op/profile_observations.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/value/figure.h"
#include "op/profile_impl.h"

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

	return figure_order(left->kernel, right->kernel) ?:
	       str_cmp(left->name, right->name) ?:
	       str_cmp(left->launch, right->launch) ?:
	       figure_order(left->where, right->where);
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
