#include "assess/finding/causes.h"

#include <stdlib.h>

#include "assess/finding/cause_advice.h"
#include "assess/finding/cause_key.h"
#include "assess/finding/cause_text.h"
#include "assess/judge/sparse.h"
#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/value/figure.h"
#include "base/value/words.h"

/* A cause and the run of its findings in their order. */
struct group {
	struct cause_key key;
	size_t parent; /* the group that it follows from; NO_GROUP */
	const struct result_finding **findings;
	size_t count;
	struct result_cause cause;
};

struct named {
	struct str name;
	int64_t share_ppm;
	size_t list; /* the last list that has it */
};

enum { MOST_CALLERS = 32 }; /* between an operator and the one that it follows from */
static const size_t NO_GROUP = SIZE_MAX;

struct grouping {
	struct arena *arena;
	const struct cause_source *source;
	struct cause_keys keys;
	struct map by_operator; /* findings, by their operator */
	struct map by_key;      /* groups */
	MEM_LIST(struct group) groups;
	size_t *group_of; /* per finding */
	struct map by_name;
	MEM_LIST(struct named) names;
	size_t list;
};

/* --- what a finding follows from */

static bool is_rule(const struct result_finding *finding, const char *rule)
{
	return strcmp(finding->what.id, rule) == 0;
}

/* The operator that decides what the finding says of another one, or "". */
static struct str followed_by(const struct result_finding *finding)
{
	return is_rule(finding, "op-calls")        ? message_value(&finding->what, "child")
	       : is_rule(finding, "shape-follows") ? message_value(&finding->what, "source")
						   : STR("");
}

static uint64_t operator_hash(struct str name, struct str target)
{
	return hash_str(hash_str(hash_seed(), name), target);
}

/* The gravest finding about the operator on the target that itself follows from none, else any; SIZE_MAX: none. The
   rule of a follower and of its leader begin with the same word. */
static size_t find_about(const struct grouping *all, const struct result_finding *follower, struct str name)
{
	struct map_cursor at = map_start(&all->by_operator, operator_hash(name, follower->target));
	size_t word = str_find(str_from(follower->what.id), STR("-")) + 1, leader = SIZE_MAX, other = SIZE_MAX;

	while (map_next(&all->by_operator, &at)) {
		const struct result_finding *finding = all->source->findings[at.index];
		size_t *found = followed_by(finding).len ? &other : &leader;

		if (str_eq(finding->operator_name, name) && str_eq(finding->target, follower->target) &&
			strncmp(finding->what.id, follower->what.id, word) == 0 && at.index < *found)
			*found = at.index;
	}
	return leader != SIZE_MAX ? leader : other;
}

/* The finding at the end of a chain of callers; SIZE_MAX: it stands by itself. */
static size_t leader_of(const struct grouping *all, const struct result_finding *finding)
{
	size_t leader = SIZE_MAX;

	for (size_t i = 0; i < MOST_CALLERS && followed_by(finding).len; i++) {
		leader = find_about(all, finding, followed_by(finding));
		if (leader == SIZE_MAX)
			return SIZE_MAX;
		finding = all->source->findings[leader];
	}
	return followed_by(finding).len ? SIZE_MAX : leader;
}

/* Of operators without sparse kernels: the first finding that one of sparse tensors does not run there. */
static size_t sparse_leader(const struct grouping *all, const struct result_finding *constraint)
{
	for (size_t i = 0; i < all->source->count; i++) {
		const struct result_finding *finding = all->source->findings[i];

		if (is_rule(finding, "op-unsupported") && sparse_by_name(finding->operator_name) &&
			str_eq(finding->target, constraint->target))
			return i;
	}
	return SIZE_MAX;
}

/* --- groups */

static size_t group_with(struct grouping *all, struct cause_key key, size_t parent)
{
	uint64_t hash = hash_str(hash_str(hash_seed(), str_from(key.family)), key.origin) + parent;
	struct map_cursor at = map_start(&all->by_key, hash);

	while (map_next(&all->by_key, &at)) {
		const struct group *group = &all->groups.items[at.index];

		if (strcmp(group->key.family, key.family) == 0 && str_eq(group->key.origin, key.origin) &&
			group->parent == parent)
			return at.index;
	}
	map_add(&all->by_key, hash, (uint32_t)all->groups.count);
	MEM_PUSH(&all->groups, ((struct group){ .key = key, .parent = parent }));
	return all->groups.count - 1;
}

/* Leaders first: their groups are the parents of the others. */
static void put_groups(struct grouping *all)
{
	const struct cause_source *source = all->source;
	size_t *leaders = mem_zalloc((source->count + 1) * sizeof(leaders[0]));

	for (size_t i = 0; i < source->count; i++) {
		const struct result_finding *finding = source->findings[i];
		struct cause_key key = cause_key_of(&all->keys, finding);

		leaders[i] = is_rule(finding, "constraint-sparse") ? sparse_leader(all, finding)
								   : leader_of(all, finding);
		if (followed_by(finding).len)
			key.origin = followed_by(finding);
		if (leaders[i] == SIZE_MAX)
			all->group_of[i] = group_with(all, key, NO_GROUP);
	}
	for (size_t i = 0; i < source->count; i++) {
		if (leaders[i] != SIZE_MAX)
			all->group_of[i] = group_with(all, (struct cause_key){ source->findings[i]->what.id, STR("") },
				all->group_of[leaders[i]]);
	}
	free(leaders);
}

static void put_runs(struct grouping *all)
{
	for (size_t i = 0; i < all->source->count; i++)
		all->groups.items[all->group_of[i]].count++;
	for (size_t i = 0; i < all->groups.count; i++) {
		struct group *group = &all->groups.items[i];

		group->findings = arena_alloc(all->arena, group->count * sizeof(group->findings[0]));
		group->count = 0;
	}
	for (size_t i = 0; i < all->source->count; i++) {
		struct group *group = &all->groups.items[all->group_of[i]];

		group->findings[group->count++] = all->source->findings[i];
	}
}

/* --- distinct operators */

static struct named *named(struct grouping *all, struct str name)
{
	uint32_t at = MAP_FIND(&all->by_name, all->names.items, name);

	if (at == MAP_NONE) {
		at = (uint32_t)all->names.count;
		map_add_name(&all->by_name, name, at);
		MEM_PUSH(&all->names, ((struct named){ .name = name }));
	}
	return &all->names.items[at];
}

struct names_of {
	const char *rule;         /* NULL: all */
	const struct str *target; /* NULL: all */
	const enum severity *severity;
};

static bool fits(const struct names_of *which, const struct result_finding *finding)
{
	return (!which->rule || is_rule(finding, which->rule)) &&
	       (!which->target || str_eq(finding->target, *which->target)) &&
	       (!which->severity || finding->severity == *which->severity);
}

/* The operators of such findings, each once, in arena. */
static struct str *operators_of(
	struct grouping *all, const struct group *group, struct names_of which, size_t *ret_count, int64_t *ret_share)
{
	struct str *operators;
	size_t most = SUM(
		i, group->count, fits(&which, group->findings[i]) ? 1 + group->findings[i]->operator_count : 0);

	operators = arena_alloc(all->arena, most * sizeof(operators[0]));
	all->list++;
	*ret_count = 0;
	*ret_share = 0;
	for (size_t i = 0; i < group->count; i++) {
		const struct result_finding *finding = group->findings[i];

		for (size_t j = 0; j <= finding->operator_count && fits(&which, finding); j++) {
			struct str name = j ? finding->operators[j - 1] : finding->operator_name;
			struct named *op = name.len ? named(all, name) : NULL;

			if (!op || op->list == all->list)
				continue;
			op->list = all->list;
			*ret_share = figure_add(*ret_share, op->share_ppm);
			operators[(*ret_count)++] = name;
		}
	}
	if (*ret_share > WHOLE_PPM) /* a sum of rounded shares */
		*ret_share = WHOLE_PPM;
	return operators;
}

/* Each target of such findings with its operators, in arena. */
static struct result_on_target *on_targets_of(
	struct grouping *all, const struct group *group, const char *rule, size_t *ret_count)
{
	MEM_LIST(struct str) targets = { 0 };
	struct result_on_target *on;

	for (size_t i = 0; i < group->count; i++) {
		struct str target = group->findings[i]->target;

		if (target.len && fits(&(struct names_of){ .rule = rule }, group->findings[i]) &&
			!STR_IS_AMONG(targets.items, targets.count, target))
			MEM_PUSH(&targets, target);
	}
	on = arena_alloc(all->arena, targets.count * sizeof(on[0]));
	for (size_t i = 0; i < targets.count; i++) {
		int64_t share;

		on[i].target = targets.items[i];
		on[i].operators = operators_of(
			all, group, (struct names_of){ rule, &on[i].target, NULL }, &on[i].operator_count, &share);
	}
	*ret_count = targets.count;
	free(targets.items);
	return on;
}

/* --- a cause */

static struct message text_about(struct grouping *all, const struct group *group, const char *rule)
{
	const struct result_finding **findings = arena_alloc(all->arena, group->count * sizeof(findings[0]));
	struct cause_part part = { .findings = findings };
	int64_t share;

	for (size_t i = 0; i < group->count; i++) {
		if (is_rule(group->findings[i], rule))
			findings[part.finding_count++] = group->findings[i];
	}
	part.operators = operators_of(all, group, (struct names_of){ .rule = rule }, &part.operator_count, &share);
	part.on_targets = on_targets_of(all, group, rule, &part.target_count);
	return cause_text_of(all->arena, &part);
}

/* The gravest rule; among several, that of the family. */
static const char *leading_rule(const struct group *group)
{
	for (size_t i = 0; i < group->count && group->findings[i]->severity == group->findings[0]->severity; i++) {
		if (is_rule(group->findings[i], group->key.family))
			return group->key.family;
	}
	return group->findings[0]->what.id;
}

/* That of the operator with the largest share among the gravest, which the cause's statement is about. */
static const char *heaviest_rule(const struct group *group)
{
	const char *rule = leading_rule(group);
	int64_t most = -1;

	for (size_t i = 0; i < group->count && group->findings[i]->severity == group->findings[0]->severity; i++) {
		const struct result_finding *finding = group->findings[i];

		if (finding->share_ppm > most || (finding->share_ppm == most && is_rule(finding, leading_rule(group))))
			rule = finding->what.id;
		most = finding->share_ppm > most ? finding->share_ppm : most;
	}
	return rule;
}

/* A statement for each rule beside the leading one. */
static void put_also(struct grouping *all, struct group *group)
{
	struct result_cause *cause = &group->cause;
	const char **rules = arena_alloc(all->arena, (group->count + 1) * sizeof(rules[0]));
	size_t count = 0;

	rules[count++] = heaviest_rule(group);
	cause->also = arena_alloc(all->arena, group->count * sizeof(cause->also[0]));
	for (size_t i = 0; i < group->count; i++) {
		const char *rule = group->findings[i]->what.id;

		if (ANY(other, count, strcmp(rules[other], rule) == 0))
			continue;
		rules[count++] = rule;
		cause->also[cause->also_count++] = text_about(all, group, rule);
	}
}

/* The operators that a recipe is for. */
static struct str operators_with(struct grouping *all, const struct group *group, struct str recipe)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	all->list++;
	for (size_t i = 0; i < group->count; i++) {
		struct named *op = named(all, group->findings[i]->operator_name);

		if (op->list == all->list || !str_eq(cause_recipe_of(group->findings[i]), recipe))
			continue;
		op->list = all->list;
		buf_printf(&text, "%s%.*s", text.len ? ", " : "", STR_ARG(op->name));
	}
	return arena_keep(all->arena, buf_str(&text));
}

/* The recipes, each once. */
static void put_recipes(struct grouping *all, struct group *group)
{
	struct result_cause *cause = &group->cause;
	struct str *names = arena_alloc(all->arena, group->count * sizeof(names[0]));

	cause->advice = arena_alloc(all->arena, group->count * sizeof(cause->advice[0]));
	for (size_t i = 0; i < group->count; i++) {
		const struct message *advice = cause_recipe_advice(group->findings[i]);
		struct str name = cause_recipe_of(group->findings[i]);

		if (advice && !STR_IS_AMONG(names, cause->advice_count, name)) {
			names[cause->advice_count] = name;
			cause->advice[cause->advice_count++] = *advice;
		}
	}
	for (size_t i = 0; i < cause->advice_count && cause->operator_count > 1; i++) {
		cause->advice[i].id = "advice-recipe-for";
		message_add(&cause->advice[i], "operators", operators_with(all, group, names[i]));
	}
}

static void put_cause(struct grouping *all, struct group *group)
{
	struct result_cause *cause = &group->cause;
	const char *rule = leading_rule(group);
	struct str origin = group->key.origin;

	if (group->parent != NO_GROUP)
		cause->under = origin = all->groups.items[group->parent].cause.id;
	cause->rule = str_from(rule);
	cause->id = arena_printf(all->arena, "%s%s%.*s", rule, origin.len ? "/" : "", STR_ARG(origin));
	cause->severity = group->findings[0]->severity;
	operators_of(all, group, (struct names_of){ .severity = &cause->severity }, &cause->operator_count,
		&cause->share_ppm);
	cause->operators = operators_of(all, group, (struct names_of){ 0 }, &cause->operator_count, &(int64_t){ 0 });
	if (group->count == 1)
		cause->share_ppm = group->findings[0]->share_ppm;
	cause->on_targets = on_targets_of(all, group, NULL, &cause->target_count);
	cause->targets = arena_alloc(all->arena, cause->target_count * sizeof(cause->targets[0]));
	for (size_t i = 0; i < cause->target_count; i++)
		cause->targets[i] = cause->on_targets[i].target;
	if (ANY(i, cause->target_count, cause->on_targets[i].operator_count != cause->operator_count))
		cause->on_target_count = cause->target_count; /* some targets have other operators than the whole */
	cause->findings = arena_alloc(all->arena, group->count * sizeof(cause->findings[0]));
	for (size_t i = 0; i < group->count; i++)
		cause->findings[cause->finding_count++] = group->findings[i]->fingerprint;
	cause->text = text_about(all, group, heaviest_rule(group));
	put_also(all, group);
	if (cause->operator_count > 1)
		put_recipes(all, group);
	if (!cause->advice_count)
		cause_put_advice(all->arena, group->findings, group->count, cause);
}

static int by_weight(const void *a, const void *b)
{
	const struct result_cause *left = a, *right = b;

	return ORDER(left->severity, right->severity) ?:
	       ORDER(right->share_ppm, left->share_ppm) ?:
	       str_cmp(left->id, right->id);
}

/* --- all of them */

struct result_cause *causes_of(struct arena *arena, const struct cause_source *source, size_t *ret_count)
{
	struct grouping all = {
		.arena = arena, .source = source, .keys = cause_keys_of(source->findings, source->count)
	};
	const struct result *result = source->result;
	struct result_cause *causes;

	all.group_of = mem_zalloc((source->count + 1) * sizeof(all.group_of[0]));
	for (size_t i = 0; i < result->operator_count; i++)
		named(&all, result->operators[i].name)->share_ppm = result->operators[i].share_ppm;
	for (size_t i = 0; i < source->count; i++)
		map_add(&all.by_operator,
			operator_hash(source->findings[i]->operator_name, source->findings[i]->target), (uint32_t)i);
	put_groups(&all);
	put_runs(&all);
	causes = arena_alloc(arena, all.groups.count * sizeof(causes[0]));
	for (size_t i = 0; i < all.groups.count; i++) {
		put_cause(&all, &all.groups.items[i]);
		causes[i] = all.groups.items[i].cause;
	}
	*ret_count = all.groups.count;
	qsort(causes, *ret_count, sizeof(causes[0]), by_weight);
	cause_keys_clear(&all.keys);
	map_clear(&all.by_operator);
	map_clear(&all.by_key);
	map_clear(&all.by_name);
	free(all.groups.items);
	free(all.names.items);
	free(all.group_of);
	return causes;
}

void causes_put(struct result *result)
{
	const struct result_finding **findings = mem_zalloc((result->finding_count + 1) * sizeof(findings[0]));

	for (size_t i = 0; i < result->finding_count; i++)
		findings[i] = &result->findings[i];
	result->causes = causes_of(&result->arena, &(struct cause_source){ findings, result->finding_count, result },
		&result->cause_count);
	free(findings);
}
