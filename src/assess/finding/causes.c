#include "assess/finding/causes.h"

#include <stdlib.h>

#include "assess/finding/finding.h"
#include "assess/judge/readiness.h"
#include "assess/judge/sparse.h"
#include "assess/model/rule.h"
#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "base/value/words.h"

enum { NAMES_SHOWN = 4 };

static struct str param_of(const struct message *message, const char *name)
{
	for (size_t i = 0; i < message->count; i++) {
		if (strcmp(message->params[i].name, name) == 0)
			return message->params[i].value;
	}
	return STR("");
}

static struct str recipe_of(const struct result_finding *finding)
{
	for (size_t i = 0; i < finding->advice_count; i++) {
		if (strcmp(finding->advice[i].id, "advice-recipe") == 0)
			return param_of(&finding->advice[i], "recipe");
	}
	return STR("");
}

/* Common properties of a cause's findings beyond their rule. */
static struct str origin_of(const struct result_finding *finding)
{
	static const char *const params[] = { "package", "child", "dtypes", "source" };
	struct str name = finding->operator_name;

	for (size_t i = 0; i < ARRAY_SIZE(params); i++) {
		struct str value = param_of(&finding->what, params[i]);

		if (value.len)
			return value;
	}
	if (sparse_by_name(name))
		return STR("sparse");
	return recipe_of(finding);
}

/* The findings by their causes. */
struct causes {
	struct result *result;
	struct map by_key;
	MEM_LIST(struct result_cause) list;
	size_t *cause_of; /* per finding */
};

static bool is_of(const struct result_cause *cause, const struct result_finding *finding)
{
	return strcmp(cause->text.id, finding->what.id) == 0 && str_eq(cause->origin, origin_of(finding));
}

static size_t cause_of(struct causes *all, const struct result_finding *finding)
{
	uint64_t hash = hash_str(hash_str(hash_seed(), str_from(finding->what.id)), origin_of(finding));
	struct map_cursor at = map_start(&all->by_key, hash);
	struct result_cause cause = {
		.text = finding->what, .origin = origin_of(finding), .severity = finding->severity
	};

	while (map_next(&all->by_key, &at)) {
		if (is_of(&all->list.items[at.index], finding))
			return at.index;
	}
	map_add(&all->by_key, hash, (uint32_t)all->list.count);
	MEM_PUSH(&all->list, cause);
	return all->list.count - 1;
}

/* A share counts once for an operator, on however many targets it is. */
static void add_finding(struct result_cause *cause, const struct result_finding *finding)
{
	struct str name = finding->operator_name;

	cause->findings[cause->finding_count++] = finding->fingerprint;
	if (finding->severity < cause->severity)
		cause->severity = finding->severity;
	if (finding->target.len && !STR_IS_AMONG(cause->targets, cause->target_count, finding->target))
		cause->targets[cause->target_count++] = finding->target;
	for (size_t i = 0; i < finding->operator_count; i++) {
		if (!STR_IS_AMONG(cause->operators, cause->operator_count, finding->operators[i]))
			cause->operators[cause->operator_count++] = finding->operators[i];
	}
	if (finding->operator_count) /* the only finding of the cause, or one without a share */
		cause->share_ppm = finding->share_ppm;
	else if (name.len && !STR_IS_AMONG(cause->operators, cause->operator_count, name)) {
		cause->operators[cause->operator_count++] = name;
		cause->share_ppm = figure_add(cause->share_ppm, finding->share_ppm);
	}
	if (!cause->advice_count) {
		cause->advice = finding->advice;
		cause->advice_count = finding->advice_count;
	}
}

/* dtypes: of calls that types decide, else "". */
static struct str joined(struct arena *arena, const struct str *items, size_t count, struct str dtypes)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < count && i < NAMES_SHOWN; i++)
		buf_printf(&text, "%s%.*s", i ? ", " : "", STR_ARG(called_with(arena, items[i], dtypes)));
	buf_add(&text, count > NAMES_SHOWN ? STR(" ...") : STR(""));
	return arena_keep(arena, buf_str(&text));
}

/* --- which operators on which target */

static struct result_on_target *on_target(struct result_cause *cause, struct str target)
{
	for (size_t i = 0; i < cause->target_count; i++) {
		if (str_eq(cause->on_targets[i].target, target))
			return &cause->on_targets[i];
	}
	return NULL;
}

static void add_to_target(struct result_on_target *on, struct str name)
{
	if (name.len && !STR_IS_AMONG(on->operators, on->operator_count, name))
		on->operators[on->operator_count++] = name;
}

static void add_pairs(struct result_cause *cause, const struct result_finding *finding)
{
	struct result_on_target *on = cause->on_targets ? on_target(cause, finding->target) : NULL;

	if (!on)
		return;
	add_to_target(on, finding->operator_name);
	for (size_t i = 0; i < finding->operator_count; i++)
		add_to_target(on, finding->operators[i]);
}

static bool same_operators(const struct result_on_target *a, const struct result_on_target *b)
{
	if (a->operator_count != b->operator_count)
		return false;
	for (size_t i = 0; i < a->operator_count; i++) {
		if (!STR_IS_AMONG(b->operators, b->operator_count, a->operators[i]))
			return false;
	}
	return true;
}

static void prepare_pairs(struct arena *arena, struct result_cause *cause)
{
	if (cause->target_count < 2 || !cause->operator_count)
		return;
	cause->on_targets = arena_alloc(arena, cause->target_count * sizeof(cause->on_targets[0]));
	for (size_t i = 0; i < cause->target_count; i++)
		cause->on_targets[i] = (struct result_on_target){ .target = cause->targets[i],
			.operators = arena_alloc(arena, cause->operator_count * sizeof(struct str)) };
}

/* Keeps the pairs where they say more than targets and operators do. */
static void finish_pairs(struct result_cause *cause)
{
	bool differ = false;

	for (size_t i = 0; i < cause->target_count && cause->on_targets; i++)
		differ |= !same_operators(&cause->on_targets[0], &cause->on_targets[i]);
	cause->on_target_count = differ ? cause->target_count : 0;
}

/* "npu@v2.7.1-26.0.0, npu@v2.6.0-7.3.0: aten::a, aten::b", of the targets from one on that have its operators. */
static void put_group(
	struct arena *arena, const struct result_cause *cause, size_t first, struct str dtypes, struct buf *text)
{
	const struct result_on_target *on = &cause->on_targets[first];
	struct str *targets = arena_alloc(arena, cause->on_target_count * sizeof(targets[0]));
	size_t count = 0;

	for (size_t i = first; i < cause->on_target_count; i++) {
		if (same_operators(&cause->on_targets[i], on))
			targets[count++] = cause->on_targets[i].target;
	}
	buf_printf(text, "%s%.*s: %.*s", text->len ? "; " : "", STR_ARG(joined(arena, targets, count, STR(""))),
		STR_ARG(joined(arena, on->operators, on->operator_count, dtypes)));
}

static struct str pairs_text(struct arena *arena, const struct result_cause *cause, struct str dtypes)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	size_t groups = 0;

	for (size_t i = 0; i < cause->on_target_count && groups <= NAMES_SHOWN; i++) {
		size_t before = 0;

		while (before < i && !same_operators(&cause->on_targets[before], &cause->on_targets[i]))
			before++;
		if (before < i)
			continue; /* printed with that target */
		if (groups++ < NAMES_SHOWN)
			put_group(arena, cause, i, dtypes, &text);
		else
			buf_add(&text, STR(" ..."));
	}
	return arena_keep(arena, buf_str(&text));
}

/* The finding's own sentence, or that of its rule about several operators or targets ("op-unsupported-many"). */
static void put_text(struct arena *arena, struct result_cause *cause)
{
	struct str operators, dtypes;

	if (cause->finding_count == 1)
		return;
	dtypes = str_eq(cause->rule, STR("op-unsupported")) ? param_of(&cause->text, "dtypes") : STR("");
	if (cause->on_target_count)
		operators = pairs_text(arena, cause, dtypes);
	else if (cause->operator_count)
		operators = joined(arena, cause->operators, cause->operator_count, dtypes);
	else
		operators = param_of(&cause->text, "operators");
	cause->text = *MESSAGE(arena, arena_printf(arena, "%.*s-many", STR_ARG(cause->rule)).ptr,
		NUMBER("count", cause->operator_count), BLANK("operators", operators),
		BLANK("targets", joined(arena, cause->targets, cause->target_count, STR(""))),
		BLANK("origin", cause->origin));
}

/* "op-needs-package/torchvision" */
static void put_id(struct arena *arena, struct result_cause *cause)
{
	cause->rule = str_from(cause->text.id);
	cause->id = arena_printf(
		arena, "%.*s%s%.*s", STR_ARG(cause->rule), cause->origin.len ? "/" : "", STR_ARG(cause->origin));
}

static bool leads_to(const struct result_cause *other, const struct result_cause *cause)
{
	bool by_shape = str_eq(cause->rule, STR("shape-follows")), by_call = str_eq(cause->rule, STR("op-calls"));

	if (str_eq(cause->rule, STR("constraint-sparse")))
		return str_eq(other->origin, STR("sparse"));
	return (by_shape || by_call) && cause->origin.len &&
	       str_starts(other->rule, by_shape ? STR("shape-") : STR("op-")) &&
	       STR_IS_AMONG(other->operators, other->operator_count, cause->origin);
}

/* The first cause, which is the gravest, with the operator among its own. */
static void put_under(struct causes *all, struct result_cause *cause)
{
	for (size_t i = 0; i < all->list.count; i++) {
		const struct result_cause *other = &all->list.items[i];

		if (other != cause && leads_to(other, cause)) {
			cause->under = other->id;
			return;
		}
	}
}

static int by_weight(const void *a, const void *b)
{
	const struct result_cause *left = a, *right = b;

	if (left->severity != right->severity)
		return left->severity < right->severity ? -1 : 1;
	if (left->share_ppm != right->share_ppm)
		return left->share_ppm > right->share_ppm ? -1 : 1;
	return str_cmp(left->id, right->id);
}

void causes_put(struct result *result)
{
	struct causes all = { .result = result };
	struct arena *arena = &result->arena;
	size_t *counts;

	all.cause_of = mem_zalloc((result->finding_count + 1) * sizeof(all.cause_of[0]));
	counts = mem_zalloc((result->finding_count + 1) * sizeof(counts[0]));
	for (size_t i = 0; i < result->finding_count; i++) {
		all.cause_of[i] = cause_of(&all, &result->findings[i]);
		counts[all.cause_of[i]] += 1 + result->findings[i].operator_count;
	}
	for (size_t i = 0; i < all.list.count; i++) {
		struct result_cause *cause = &all.list.items[i];

		put_id(arena, cause);
		cause->under = STR("");
		cause->targets = arena_alloc(arena, counts[i] * sizeof(cause->targets[0]));
		cause->operators = arena_alloc(arena, counts[i] * sizeof(cause->operators[0]));
		cause->findings = arena_alloc(arena, counts[i] * sizeof(cause->findings[0]));
	}
	for (size_t i = 0; i < result->finding_count; i++)
		add_finding(&all.list.items[all.cause_of[i]], &result->findings[i]);
	for (size_t i = 0; i < all.list.count; i++)
		prepare_pairs(arena, &all.list.items[i]);
	for (size_t i = 0; i < result->finding_count; i++)
		add_pairs(&all.list.items[all.cause_of[i]], &result->findings[i]);
	for (size_t i = 0; i < all.list.count; i++) {
		finish_pairs(&all.list.items[i]);
		put_text(arena, &all.list.items[i]);
		put_under(&all, &all.list.items[i]);
	}
	MEM_SORT(&all.list, by_weight);
	result->cause_count = all.list.count;
	result->causes = arena_keep_bytes(arena, all.list.items, all.list.count * sizeof(result->causes[0]));
	map_clear(&all.by_key);
	free(all.list.items);
	free(all.cause_of);
	free(counts);
}
