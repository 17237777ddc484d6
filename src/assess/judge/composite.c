#include "assess/judge/composite.h"

#include <stdlib.h>

#include "assess/judge/assume.h"
#include "assess/judge/host_work.h"
#include "assess/judge/sparse.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "op/profile.h"
#include "op/profile_links.h"
#include "opdb/resolve/calls.h"
#include "opdb/resolve/held.h"

/* Children named in a verdict, and composites inside of composites that are followed. */
enum { MOST_NAMED = 6, DEEPEST = 8 };

struct children {
	uint32_t *items; /* positions of operators, ascending */
	size_t count;
};

struct composites {
	struct arena *arena;
	const struct operators *operators;
	struct map by_name;
	struct children *seen; /* per operator: what the dump shows inside of it */
	const struct sparse_calls *sparse;
};

static uint32_t operator_named(const struct composites *composites, struct str name)
{
	return MAP_FIND(&composites->by_name, composites->operators->items, name);
}

static int by_number(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

static void add_child(struct composites *composites, uint32_t parent, uint32_t child, const size_t *rooms)
{
	struct children *list = &composites->seen[parent];

	if (!list->items)
		list->items = arena_alloc(composites->arena, rooms[parent] * sizeof(list->items[0]));
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i] == child)
			return;
	}
	list->items[list->count++] = child;
}

/* Only a sparse argument reaches such a child: it says nothing of the parent's other calls, and has findings of its
   own. */
static bool is_reached_by_sparse(const struct composites *composites, uint32_t child, uint32_t parent)
{
	const struct op *items = composites->operators->items;

	return (sparse_by_name(items[child].name) || composites->sparse[child].all) &&
	       !sparse_by_name(items[parent].name) && !composites->sparse[parent].all;
}

/* Both ends of a link, where they are operators that are judged; an operator inside of itself says nothing. */
static bool ends_of(
	const struct composites *composites, const struct op_link *link, uint32_t *ret_child, uint32_t *ret_parent)
{
	*ret_child = operator_named(composites, link->name);
	*ret_parent = operator_named(composites, link->other);
	return *ret_child != MAP_NONE && *ret_parent != MAP_NONE && *ret_child != *ret_parent &&
	       !is_reached_by_sparse(composites, *ret_child, *ret_parent);
}

static void gather_children(struct composites *composites, const struct profile *profile)
{
	size_t count, *rooms = mem_zalloc((composites->operators->count + 1) * sizeof(rooms[0]));
	const struct op_link *links = profile_links(profile, RELATION_PARENT, &count);
	uint32_t child, parent;

	for (size_t i = 0; i < count; i++) {
		if (ends_of(composites, &links[i], &child, &parent))
			rooms[parent]++;
	}
	for (size_t i = 0; i < count; i++) {
		if (ends_of(composites, &links[i], &child, &parent))
			add_child(composites, parent, child, rooms);
	}
	free(rooms);
	for (size_t i = 0; i < composites->operators->count; i++)
		MEM_SORT(&composites->seen[i], by_number);
}

struct composites *composites_new(struct arena *arena, const struct profile *profile, const struct operators *operators)
{
	struct composites *composites = arena_alloc(arena, sizeof(*composites));
	bool known;

	*composites = (struct composites){ .arena = arena, .operators = operators };
	composites->seen = arena_alloc(arena, (operators->count + 1) * sizeof(composites->seen[0]));
	for (size_t i = 0; i < operators->count; i++)
		map_add_name(&composites->by_name, operators->items[i].name, (uint32_t)i);
	composites->sparse = sparse_calls_find(arena, profile, operators, &known);
	gather_children(composites, profile);
	return composites;
}

void composites_clear(struct composites *composites)
{
	map_clear(&composites->by_name);
}

/* One target under way. */
struct descent {
	const struct composites *composites;
	const struct judge *judge;
	const struct target *target;
	struct judgement *judgements;
};

/* The recorded ones among the calls that a composite always makes. */
static int children_by_body(const struct descent *descent, size_t index, struct children *ret, struct err *err)
{
	const struct op *op = &descent->composites->operators->items[index];
	struct str calls, call = { 0 };
	struct op_query query = { .ns = op->ns, .base = op->base };
	int code = resolve_calls(descent->judge->resolver, descent->target, &query, &calls, err);

	if (code || !calls.len)
		return code;
	ret->items = arena_alloc(descent->judge->arena, calls.len * sizeof(ret->items[0]));
	while (calls.len && str_cut(&calls, ' ', &call)) {
		uint32_t child = operator_named(
			descent->composites, arena_printf(descent->judge->arena, "aten::%.*s", STR_ARG(call)));

		if (child != MAP_NONE && child != index)
			ret->items[ret->count++] = child;
	}
	return 0;
}

static void say_calls(const struct descent *descent, const struct children *children, struct result_verdict *verdict)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	size_t named = children->count < MOST_NAMED ? children->count : MOST_NAMED;

	buf_printf(&text, "%.*s; calls ", STR_ARG(verdict->via));
	for (size_t i = 0; i < named; i++) {
		const struct op *child = &descent->composites->operators->items[children->items[i]];

		buf_printf(&text, "%s%.*s (%.*s)", i ? ", " : "", STR_ARG(child->name),
			STR_ARG(op_status_name(descent->judgements[children->items[i]].verdict.status)));
	}
	if (named < children->count)
		buf_printf(&text, " and %zu more", children->count - named);
	verdict->via = arena_keep(descent->judge->arena, buf_str(&text));
}

static void add_condition(struct arena *arena, const struct message *condition, struct judgement *judgement)
{
	struct result_verdict *verdict = &judgement->verdict;
	struct message *list = arena_alloc(arena, (verdict->condition_count + 1) * sizeof(list[0]));

	if (verdict->condition_count)
		memcpy(list, verdict->conditions, verdict->condition_count * sizeof(list[0]));
	list[verdict->condition_count++] = *condition;
	verdict->conditions = list;
}

static void add_calls_condition(const struct descent *descent, size_t index, size_t child, enum op_status status)
{
	struct arena *arena = descent->judge->arena;
	const struct op *operators = descent->composites->operators->items;

	add_condition(arena,
		MESSAGE(arena, "op-calls", COPY("operator", operators[index].name),
			COPY("target", str_from(descent->target->id)), COPY("child", operators[child].name),
			BLANK("status", op_status_name(status))),
		&descent->judgements[index]);
}

/* The child that is worst off; of equal ones the first. */
static uint32_t worst_of(const struct children *children, const struct judgement *judgements)
{
	uint32_t worst = children->items[0];

	for (size_t i = 1; i < children->count; i++) {
		if (judgements[children->items[i]].worst > judgements[worst].worst)
			worst = children->items[i];
	}
	return worst;
}

/* Types that some child may refuse are open for the composite, too. True if that is news. */
static bool open_by_children(const struct descent *descent, size_t index, const struct children *children)
{
	unsigned open = 0, *own = &descent->judgements[index].open_types;

	for (size_t i = 0; i < children->count; i++)
		open |= descent->judgements[children->items[i]].open_types;
	open &= ~*own;
	*own |= open;
	return open;
}

/* Returns whether the composite was better than its children, which widens its judgement. */
static bool widen_by_children(const struct descent *descent, size_t index, const struct children *children)
{
	uint32_t child = worst_of(children, descent->judgements);
	enum op_status status = descent->judgements[child].worst;
	bool changed = open_by_children(descent, index, children);

	if (op_status_class(status) <= op_status_class(descent->judgements[index].worst))
		return changed;
	descent->judgements[index].worst = status;
	if (!descent->judge->brief)
		add_calls_condition(descent, index, child, status);
	return true;
}

/* The composites on the target that call something known. */
static int children_of_all(const struct descent *descent, struct children *ret, struct err *err)
{
	int code = 0;

	for (size_t i = 0; i < descent->composites->operators->count && !code; i++) {
		if (descent->judgements[i].verdict.status != OP_COMPOSITE)
			continue;
		ret[i] = descent->composites->seen[i];
		if (!ret[i].count)
			code = children_by_body(descent, i, &ret[i], err);
		if (!code && ret[i].count && !descent->judge->brief)
			say_calls(descent, &ret[i], &descent->judgements[i].verdict);
	}
	return code;
}

static int follow_composites(const struct descent *descent, struct err *err)
{
	size_t count = descent->composites->operators->count;
	CLEANUP(mem_release) struct children *of = mem_zalloc((count + 1) * sizeof(of[0]));
	int code = children_of_all(descent, of, err);
	bool changed = !code;

	for (unsigned depth = 0; depth < DEEPEST && changed; depth++) {
		changed = false;
		for (size_t i = 0; i < count; i++)
			changed |= of[i].count && widen_by_children(descent, i, &of[i]);
	}
	return code;
}

/* --- all operators */

/* Takes the judgement on the release before, where it holds for this one, too. */
static bool take_held(const struct held_judgement *held, const struct release *release, struct judgement *ret)
{
	if (!held->last || held->last->target != release->target || held->last->place < release->place)
		return false;
	ret->worst = held->worst;
	ret->open_types = held->open_types;
	return true;
}

static int judge_one(const struct descent *descent, size_t index, struct err *err)
{
	const struct judge *judge = descent->judge;
	struct held_judgement *held = judge->held ? &judge->held[index] : NULL;
	const struct assumption *assumed = assumption_about(judge->assumptions, judge->operators->items[index].name);
	struct judgement *judgement = &descent->judgements[index];
	int code;

	if (held && take_held(held, descent->target->release, judgement))
		return 0;
	if (held)
		resolver_watch(judge->resolver, NULL);
	code = judge_operator(judge, descent->target, index, judgement, err);
	if (!code && assumed)
		assume_judgement(judge->arena, assumed, judgement);
	if (!code && held)
		*held = (struct held_judgement){ resolver_held_until(judge->resolver, descent->target->release),
			judgement->worst, judgement->open_types };
	return code;
}

/* The operator gets sparse tensors, or may. Callers with dense tensors are not affected. */
static void limit_to_dense(const struct descent *descent, size_t index)
{
	struct arena *arena = descent->judge->arena;
	struct judgement *judgement = &descent->judgements[index];

	judgement->worst = judgement->worst < OP_UNSUPPORTED ? OP_UNSUPPORTED : judgement->worst;
	if (!descent->judge->brief)
		add_condition(arena,
			MESSAGE(arena, "op-sparse", COPY("operator", descent->judge->operators->items[index].name),
				COPY("target", str_from(descent->target->id))),
			judgement);
}

int judge_all(const struct judge *judge, const struct target *target, struct judgement *judgements, struct err *err)
{
	const struct descent descent = { judge->composites, judge, target, judgements };
	int code = 0;

	for (size_t i = 0; i < judge->operators->count && !code; i++)
		code = judge_one(&descent, i, err);
	if (!code)
		code = follow_composites(&descent, err);
	for (size_t i = 0; i < judge->operators->count && judge->sparse && !code; i++) {
		if (judge->sparse[i] && judgements[i].dense_only)
			limit_to_dense(&descent, i);
	}
	for (size_t i = 0; i < judge->operators->count && judge->host_work && !code; i++) {
		if (judge->host_work[i])
			host_work_judge(&judgements[i]);
	}
	return code;
}
