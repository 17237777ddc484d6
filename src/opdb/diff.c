#include "opdb/diff.h"

#include "base/mem.h"
#include "opdb/db/names.h"
#include "opdb/resolve/steps.h"

enum { NAMES_BYTES = 64 * 1024 * 1024 };

struct str op_change_name(enum op_change change)
{
	static const struct str names[CHANGE_COUNT] = { STR("added"), STR("removed"), STR("better"), STR("worse") };

	return names[change];
}

struct state {
	bool there;
	enum op_status status;
};

static int state_of(const struct diff_side *side, struct str full, struct state *ret, struct err *err)
{
	size_t colons = str_find(full, STR("::"));
	struct question question = { .resolver = side->resolver,
		.release = side->target.release,
		.chip = side->target.chip,
		.status_only = true };
	const struct name_facts *name;
	struct answer answer;
	int code = facts_get(&side->resolver->facts, str_sub(full, 0, colons), str_skip(full, colons + 2), &name, err);

	if (!code)
		code = answer_name(&question, name, STR(""), &answer, err);
	if (code)
		return code;
	*ret = (struct state){ .status = answer.status };
	for (const struct overload *op = name->overloads; op && !ret->there; op = op->next)
		ret->there = overload_exists(op, question.release, name->aten);
	return 0;
}

/* False when nothing changed. */
static bool compare(struct state before, struct state after, enum op_change *ret)
{
	if (before.there != after.there)
		*ret = after.there ? CHANGE_ADDED : CHANGE_REMOVED;
	else
		*ret = after.status < before.status ? CHANGE_BETTER : CHANGE_WORSE;
	return before.there != after.there || before.status != after.status;
}

/* The order of the database: by namespace, then by base. */
static int name_order(struct str a, struct str b)
{
	size_t a_colons = str_find(a, STR("::")), b_colons = str_find(b, STR("::"));
	int order = str_cmp(str_sub(a, 0, a_colons), str_sub(b, 0, b_colons));

	return order ? order : str_cmp(a, b);
}

/* Takes the next name off two sorted lists. */
static struct str next_name(struct name_list *a, struct name_list *b)
{
	int order = !a->count ? 1 : !b->count ? -1 : name_order(a->items[0], b->items[0]);
	struct str name = order <= 0 ? a->items[0] : b->items[0];

	if (order <= 0) {
		a->items++;
		a->count--;
	}
	if (order >= 0) {
		b->items++;
		b->count--;
	}
	return name;
}

int opdb_diff(const struct diff_side *before, const struct diff_side *after,
	int (*each)(void *ctx, const struct op_difference *difference), void *ctx, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(NAMES_BYTES);
	struct name_list old_names = { 0 }, new_names = { 0 };
	int code = opdb_names_with_prefix(before->db, STR(""), &arena, &old_names, err);

	if (!code)
		code = opdb_names_with_prefix(after->db, STR(""), &arena, &new_names, err);
	while (!code && (old_names.count || new_names.count)) {
		struct op_difference difference = { .name = next_name(&old_names, &new_names) };
		struct state old_state, new_state;

		code = state_of(before, difference.name, &old_state, err);
		if (!code)
			code = state_of(after, difference.name, &new_state, err);
		if (code || !compare(old_state, new_state, &difference.change))
			continue;
		difference.before = old_state.status;
		difference.after = new_state.status;
		code = each(ctx, &difference);
	}
	return code;
}
