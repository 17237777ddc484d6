#include "assess/judge/composite.h"

#include <stdlib.h>

#include "assess/judge/assume.h"
#include "assess/judge/call_facts.h"
#include "assess/judge/sparse.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
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
	return ORDER(*(const uint32_t *)a, *(const uint32_t *)b);
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

/* Both ends of a link, where they are operators that are judged; an operator inside of itself says nothing. */
static bool ends_of(
	const struct composites *composites, const struct op_link *link, uint32_t *ret_child, uint32_t *ret_parent)
{
	const struct op *items = composites->operators->items;
	const struct sparse_calls *sparse = composites->sparse;
	uint32_t child = operator_named(composites, link->name), parent = operator_named(composites, link->other);

	*ret_child = child;
	*ret_parent = parent;
	if (child == MAP_NONE || parent == MAP_NONE || child == parent)
		return false;
	/* a child that only a sparse argument reaches says nothing of other calls: it has findings of its own */
	return (!sparse_by_name(items[child].name) && !sparse[child].all) || sparse_by_name(items[parent].name) ||
	       sparse[parent].all;
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

/* Widens the judgement of a composite by its children: types that one may refuse are open for it, too, and it runs no
   better than the worst of them. Returns whether that is news. */
static bool widen_by_children(const struct descent *descent, size_t index, const struct children *children)
{
	struct arena *arena = descent->judge->arena;
	const struct op *operators = descent->composites->operators->items;
	struct judgement *judgements = descent->judgements, *own = &judgements[index];
	uint32_t worst = children->items[0];
	unsigned opened = 0;

	for (size_t i = 0; i < children->count; i++) {
		uint32_t child = children->items[i];

		opened |= judgements[child].open_types & ~own->open_types;
		if (judgements[child].worst > judgements[worst].worst)
			worst = child;
	}
	own->open_types |= opened;
	if (op_status_class(judgements[worst].worst) <= op_status_class(own->worst))
		return opened;
	own->worst = judgements[worst].worst;
	if (!descent->judge->brief)
		add_condition(arena,
			MESSAGE(arena, "op-calls", COPY("operator", operators[index].name),
				COPY("target", str_from(descent->target->id)), COPY("child", operators[worst].name),
				BLANK("status", op_status_name(own->worst))),
			own);
	return true;
}

static int follow_composites(const struct descent *descent, struct err *err)
{
	size_t count = descent->composites->operators->count;
	CLEANUP(mem_release) struct children *of = mem_zalloc((count + 1) * sizeof(of[0]));
	bool changed = true;
	int code = 0;

	for (size_t i = 0; i < count && !code; i++) {
		if (descent->judgements[i].verdict.status != OP_COMPOSITE)
			continue;
		of[i] = descent->composites->seen[i];
		if (!of[i].count)
			code = children_by_body(descent, i, &of[i], err);
		if (!code && of[i].count && !descent->judge->brief)
			say_calls(descent, &of[i], &descent->judgements[i].verdict);
	}
	for (unsigned depth = 0; depth < DEEPEST && changed && !code; depth++) {
		changed = false;
		for (size_t i = 0; i < count; i++)
			changed |= of[i].count && widen_by_children(descent, i, &of[i]);
	}
	return code;
}

/* --- all operators */

static int judge_one(const struct descent *descent, size_t index, struct err *err)
{
	const struct judge *judge = descent->judge;
	struct held_judgement *held = judge->held ? &judge->held[index] : NULL;
	const struct assumption *assumed = assumption_about(judge->assumptions, judge->operators->items[index].name);
	const struct release *release = descent->target->release;
	struct judgement *judgement = &descent->judgements[index];
	int code;

	if (held && held->last && held->last->target == release->target && held->last->place >= release->place) {
		judgement->worst = held->worst; /* the judgement on an earlier release holds for this one, too */
		judgement->open_types = held->open_types;
		return 0;
	}
	if (held)
		resolver_watch(judge->resolver, NULL);
	code = judge_operator(judge, descent->target, index, judgement, err);
	if (!code && assumed)
		assume_judgement(judge->arena, assumed, judgement);
	if (!code && held)
		*held = (struct held_judgement){ resolver_held_until(judge->resolver, release), judgement->worst,
			judgement->open_types };
	return code;
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
		if (!judge->sparse[i] || !judgements[i].dense_only)
			continue; /* callers with dense tensors are not affected */
		judgements[i].worst = judgements[i].worst < OP_UNSUPPORTED ? OP_UNSUPPORTED : judgements[i].worst;
		if (!judge->brief)
			add_condition(judge->arena,
				MESSAGE(judge->arena, "op-sparse", COPY("operator", judge->operators->items[i].name),
					COPY("target", str_from(target->id))),
				&judgements[i]);
	}
	for (size_t i = 0; i < judge->operators->count && judge->host_work && !code; i++) {
		if (judge->host_work[i])
			host_work_judge(&judgements[i]);
	}
	return code;
}
