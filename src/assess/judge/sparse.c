#include "assess/judge/sparse.h"

#include "base/memory/map.h"
#include "op/profile_links.h"
#include "op/shape.h"
#include "opdb/model/name_list.h"

enum { MOST_ARGUMENTS = 64, DEEPEST = 8 };

bool sparse_by_name(struct str name)
{
	return name_is_listed(NAMES_SPARSE, name);
}

/* --- by strides */

/* Returns whether some argument has sizes and no strides. */
static bool lacks_strides(const struct profile_use *use)
{
	enum shape_form sizes[MOST_ARGUMENTS], strides[MOST_ARGUMENTS];
	size_t size_count, stride_count;
	bool more;

	if (!use_strides(use).len || !shape_forms(use->shapes, sizes, MOST_ARGUMENTS, &size_count, &more) ||
		!shape_forms(use_strides(use), strides, MOST_ARGUMENTS, &stride_count, &more))
		return false;
	for (size_t i = 0; i < size_count && i < stride_count; i++) {
		if (sizes[i] == SHAPE_SIZED && strides[i] == SHAPE_EMPTY)
			return true;
	}
	return false;
}

static struct sparse_calls calls_by_strides(const struct op *op, const struct profile_use *uses, bool *known)
{
	struct sparse_calls calls = { .all = op->use_count };

	for (size_t i = 0; i < op->use_count; i++) {
		const struct profile_use *use = &uses[op->uses[i]];
		bool sparse = lacks_strides(use);

		op_fetch_ahead(op, uses, i);
		*known |= use_strides(use).len > 0;
		calls.some |= sparse;
		calls.all &= sparse || !use->calls;
	}
	return calls;
}

/* Mark operators that take sparse tensors, and the operators around them, as given sparse input. True if that is
   news. */
static bool follow_links(const struct profile *profile, const struct operators *operators, const struct map *by_name,
	struct sparse_calls *calls)
{
	size_t count;
	const struct op_link *links = profile_links(profile, RELATION_PARENT, &count);
	bool changed = false;

	for (size_t i = 0; i < count; i++) {
		uint32_t child = MAP_FIND(by_name, operators->items, links[i].name);
		uint32_t parent = MAP_FIND(by_name, operators->items, links[i].other);

		if (child != MAP_NONE && parent != MAP_NONE && calls[child].some && !calls[parent].some)
			calls[parent].some = changed = true;
	}
	return changed;
}

struct sparse_calls *sparse_calls_find(
	struct arena *arena, const struct profile *profile, const struct operators *operators, bool *ret_known)
{
	struct sparse_calls *calls = arena_alloc(arena, (operators->count + 1) * sizeof(calls[0]));
	struct map by_name = { 0 };
	size_t count;
	const struct profile_use *uses = profile_uses(profile, &count);

	*ret_known = false;
	for (size_t i = 0; i < operators->count; i++) {
		const struct op *op = &operators->items[i];

		if (profile_has_strides(profile))
			calls[i] = calls_by_strides(op, uses, ret_known);
		calls[i].some |= sparse_by_name(op->name) && !name_is_listed(NAMES_MAKES_SPARSE, op->name);
		map_add_name(&by_name, op->name, (uint32_t)i);
	}
	profile_links(profile, RELATION_PARENT, &count);
	*ret_known |= count > 0;
	for (unsigned depth = 0; depth < DEEPEST && follow_links(profile, operators, &by_name, calls); depth++)
		;
	map_clear(&by_name);
	return calls;
}

bool *sparse_find(struct arena *arena, const struct profile *profile, const struct operators *operators)
{
	bool *sparse = arena_alloc(arena, operators->count + 1), any = false, known;
	const struct sparse_calls *calls;

	for (size_t i = 0; i < operators->count; i++)
		any |= sparse_by_name(operators->items[i].name);
	if (!any)
		return NULL;
	calls = sparse_calls_find(arena, profile, operators, &known);
	for (size_t i = 0; i < operators->count; i++)
		sparse[i] = calls[i].some || !known;
	return sparse;
}
