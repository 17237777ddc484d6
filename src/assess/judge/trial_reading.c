#include "assess/judge/trial_reading.h"

#include "base/value/words.h"
#include "op/profile.h"
#include "op/profile_links.h"

/* Operators looked at on the way up from one: PyTorch's own chains are far shorter. */
enum { MOST_ANCESTORS = 64 };

/* The links of a name; they are sorted by it. */
static const struct op_link *parents_of(const struct judge *judge, struct str name, size_t *ret_count)
{
	size_t count = 0, low = 0;
	const struct op_link *links = judge->profile ? profile_links(judge->profile, RELATION_PARENT, &count) : NULL;

	for (size_t high = count; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (str_cmp(links[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (*ret_count = 0; low + *ret_count < count && str_eq(links[low + *ret_count].name, name); ++*ret_count)
		;
	return links ? links + low : NULL;
}

enum ancestry { NOT_INSIDE, INSIDE, NOT_TOLD };

/* The composites that choose an operator by device. */
struct composite_names {
	struct arena *arena;
	struct str items[16];
	size_t count;
};

struct ancestors {
	struct str items[MOST_ANCESTORS];
	size_t count;
	enum ancestry found;
};

static void add_ancestor(struct ancestors *ancestors, struct str name, const struct composite_names *wanted)
{
	if (STR_IS_AMONG(wanted->items, wanted->count, name) || str_eq(name, STR(LINK_COMPILED_REGION)))
		ancestors->found = INSIDE;
	else if ((!str_has(name, STR("::")) && !str_eq(name, STR(LINK_DATA_LOADER))) ||
		 ancestors->count == MOST_ANCESTORS)
		ancestors->found = NOT_TOLD;
	if (!STR_IS_AMONG(ancestors->items, ancestors->count, name) && ancestors->count < MOST_ANCESTORS)
		ancestors->items[ancestors->count++] = name;
}

/*
 * Returns whether the direct children of a parent ran inside one of the composites, or inside compiled code, which
 * may hold another one elsewhere. A node of autograd does not answer that: what it calls was chosen when the forward
 * operator ran.
 */
static enum ancestry ran_inside(const struct judge *judge, struct str parent, const struct composite_names *wanted)
{
	struct ancestors ancestors = { .found = NOT_INSIDE };

	add_ancestor(&ancestors, parent, wanted);
	for (size_t at = 0; at < ancestors.count && ancestors.found != INSIDE; at++) {
		size_t count;
		const struct op_link *parents = parents_of(judge, ancestors.items[at], &count);

		for (size_t i = 0; i < count && ancestors.found != INSIDE; i++)
			add_ancestor(&ancestors, parents[i].other, wanted);
	}
	return ancestors.found;
}

static bool take_composite(void *ctx, struct str name)
{
	struct composite_names *names = ctx;

	if (names->count < ARRAY_SIZE(names->items))
		names->items[names->count++] = arena_keep(names->arena, name);
	return false;
}

/* Returns whether a single dump with links has outermost calls of the operator. */
static bool ran_outermost(const struct judge *judge, const struct op *op, const struct op_link *parents, size_t count)
{
	size_t links = 0, streams = 0;
	uint64_t inside = 0;

	if (!judge->profile || profile_is_joined(judge->profile))
		return false;
	profile_links(judge->profile, RELATION_PARENT, &links);
	profile_streams(judge->profile, &streams);
	for (size_t i = 0; i < count; i++)
		inside += parents[i].calls;
	return links && streams == 1 && inside < op->calls;
}

bool trial_called_by_name(const struct judge *judge, const struct op *op)
{
	struct composite_names composites = { .arena = judge->arena };
	size_t count, told = 0;
	const struct op_link *parents = parents_of(judge, op->name, &count);

	if (!resolve_called_by_name(judge->resolver, op->ns, op->base, take_composite, &composites))
		return false;
	if (ran_outermost(judge, op, parents, count))
		return true;
	for (size_t i = 0; i < count; i++) {
		enum ancestry inside = ran_inside(judge, parents[i].other, &composites);

		if (inside == NOT_INSIDE)
			return true;
		told += inside == INSIDE;
	}
	return !told && ALL(i, composites.count,
				!STR_IS_AMONG(judge->operators->items, judge->operators->count, composites.items[i]));
}

/* A composite that chose this operator may be among the rows that are missing, or not. */
void trial_reading(struct trial *trial, const struct answer *answer)
{
	struct message *condition;

	if (answer->status != OP_EQUIVALENT || !trial->judge->rows_hidden ||
		!trial_called_by_name(trial->judge, trial->op) ||
		op_status_class(answer->explicit_status) == op_status_class(answer->status))
		return;
	trial_widen(trial, answer->explicit_status);
	condition = trial_condition(trial, "op-called-by-name");
	message_add(condition, "status", op_status_name(answer->explicit_status));
}
