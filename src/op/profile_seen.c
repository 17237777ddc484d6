/* Where operators and kernels were seen to run. */
#include <stdlib.h>

#include "base/figure.h"
#include "base/hash.h"
#include "base/mem.h"
#include "op/profile_impl.h"

/* "aten::fmax.out" of a message is the operator aten::fmax; what is no operator keeps its spelling. */
static struct str plain_name(const struct op_seen *seen, struct buf *text)
{
	struct name name;

	if (seen->kernel)
		return seen->name;
	name = name_classify(seen->name, (struct name_style){ 0 });
	if (name.name_class != NAME_OPERATOR || name.cut)
		return seen->name;
	name_put(text, &name);
	return buf_str(text);
}

static struct op_seen *find(const struct profile *profile, uint64_t hash, struct str name, const struct op_seen *seen)
{
	struct map_cursor at = map_start(&profile->seen.by_name, hash);

	while (map_next(&profile->seen.by_name, &at)) {
		struct op_seen *known = &profile->seen.items[at.index];

		if (known->where == seen->where && known->kernel == seen->kernel && str_eq(known->name, name) &&
			str_eq(known->launch, seen->launch))
			return known;
	}
	return NULL;
}

void profile_take_seen(struct profile *profile, const struct op_seen *seen)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct str name = plain_name(seen, &text);
	uint64_t hash = hash_str(hash_str(profile->seed + seen->where * 2 + seen->kernel, name), seen->launch);
	struct op_seen *known = find(profile, hash, name, seen), copy = *seen;

	if (known) {
		known->calls = figure_count(known->calls, seen->calls);
		known->device_ns = figure_add(known->device_ns, seen->device_ns);
		return;
	}
	if (profile->seen.count >= profile->limits.names) {
		profile->calls_over_cap = figure_count(profile->calls_over_cap, seen->calls);
		return;
	}
	copy.name = arena_keep(&profile->text, name);
	copy.launch = arena_keep(&profile->text, seen->launch);
	map_add(&profile->seen.by_name, hash, (uint32_t)profile->seen.count);
	MEM_PUSH(&profile->seen, copy);
}

static int by_name(const void *a, const void *b)
{
	const struct op_seen *left = a, *right = b;
	int order = (int)left->kernel - (int)right->kernel;

	if (!order)
		order = str_cmp(left->name, right->name);
	if (!order)
		order = str_cmp(left->launch, right->launch);
	return order ? order : (int)left->where - (int)right->where;
}

void profile_sort_seen(struct profile *profile)
{
	if (profile->seen.count)
		qsort(profile->seen.items, profile->seen.count, sizeof(profile->seen.items[0]), by_name);
	map_clear(&profile->seen.by_name);
}

const struct op_seen *profile_seen(const struct profile *profile, size_t *ret_count)
{
	*ret_count = profile->seen.count;
	return profile->seen.items;
}
