#include "assess/judge/implied.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/words.h"
#include "opdb/db/lists.h"
#include "opdb/resolve/calls.h"

/* Composites that call composites: PyTorch's own chains are shorter. */
enum { DEEPEST_CALL = 4 };

struct search {
	const struct implied_request *request;
	const struct target *target;
	unsigned needs; /* needs_met */
	MEM_LIST(struct result_implied) found;
	struct err *err;
};

/* --- what the profile shows */

size_t recorded_aten(const struct operators *operators, struct str base)
{
	for (size_t i = 0; i < operators->count; i++) {
		if (str_eq(operators->items[i].base, base) && str_eq(operators->items[i].ns, STR("aten")))
			return i;
	}
	return STR_NONE;
}

static bool are_recorded(const struct operators *operators, struct str bases)
{
	struct str base = { 0 };

	while (bases.len && str_cut(&bases, ' ', &base)) {
		if (recorded_aten(operators, base) == STR_NONE)
			return false;
	}
	return true;
}

/* enum implied_need that the profile meets. */
static unsigned needs_met(const struct implied_request *request)
{
	size_t count;
	const struct profile_name *names = profile_names(request->profile, &count);
	unsigned met = request->types_seen & (DTYPE_FP16 | DTYPE_COMPLEX32) ? NEED_FP16 : 0;

	for (size_t i = 0; i < count; i++) {
		met |= names[i].name.name_class == NAME_AUTOGRAD ? NEED_BACKWARD : 0;
		met |= names[i].name.name_class == NAME_OPTIMIZER ? NEED_OPTIMIZER : 0;
	}
	return met;
}

static struct str aten(struct arena *arena, struct str base)
{
	return arena_printf(arena, "aten::%.*s", STR_ARG(base));
}

/* The entry of an operator; the reason that was found first stands. */
static struct result_implied *entry_of(struct search *search, struct str name, const struct message *because)
{
	struct result_implied entry = { .name = name, .because = *because };
	size_t at = STR_POSITION(search->found.items, search->found.count, name);

	if (at != STR_NONE)
		return &search->found.items[at];
	entry.verdicts = arena_alloc(search->request->arena, search->request->target_count * sizeof(entry.verdicts[0]));
	MEM_PUSH(&search->found, entry);
	return &search->found.items[search->found.count - 1];
}

static int add_calls_of(struct search *search, struct str base, unsigned depth);

/* An operator that is called on the target; one that is a composite there calls others. */
static int add_implied(struct search *search, struct str base, const struct message *because, unsigned depth)
{
	struct arena *arena = search->request->arena;
	struct str target = arena_keep(arena, str_from(search->target->id));
	struct result_verdict verdict = { .target = target, .since = STR(""), .until = STR("") };
	struct result_implied *entry;
	struct answer answer;
	struct op_query query = { .ns = STR("aten"), .base = base };
	int code = resolve_base(search->request->resolver, search->target, &query, &answer, search->err);

	if (code || answer.status == OP_EQUIVALENT) /* another way is taken there */
		return code;
	entry = entry_of(search, aten(arena, base), because);
	if (entry->verdict_count && str_eq(entry->verdicts[entry->verdict_count - 1].target, target))
		return 0;
	verdict.status = answer.status;
	verdict.via = arena_keep(arena, answer.via);
	verdict.flags = answer.flags | FLAG_IMPLIED;
	verdict_put_evidence(arena, &answer, &verdict);
	entry->verdicts[entry->verdict_count++] = verdict;
	return answer.status == OP_COMPOSITE && depth < DEEPEST_CALL ? add_calls_of(search, base, depth) : 0;
}

/* The calls that a composite always makes and that were not recorded. */
static int add_calls_of(struct search *search, struct str base, unsigned depth)
{
	struct message because = message_of("implied-call");
	struct str calls, call = { 0 };
	struct op_query query = { .ns = STR("aten"), .base = base };
	int code = resolve_calls(search->request->resolver, search->target, &query, &calls, search->err);

	if (!code && calls.len)
		message_add(&because, "operator", aten(search->request->arena, base));
	while (!code && calls.len && str_cut(&calls, ' ', &call)) {
		if (recorded_aten(search->request->operators, call) == STR_NONE)
			code = add_implied(search, call, &because, depth + 1);
	}
	return code;
}

static int add_by_rules(struct search *search)
{
	const struct implied_request *request = search->request;
	const struct release *release = search->target->release;
	size_t count;
	const struct implied_rule *rules = opdb_implied(resolver_db(request->resolver), &count);
	int code = 0;

	for (size_t i = 0; i < count && !code; i++) {
		const struct implied_rule *rule = &rules[i];
		struct message because;

		if (rule->target != release->target || release->torch_place < rule->torch_from ||
			rule->needs & ~search->needs || recorded_aten(request->operators, rule->calls) != STR_NONE ||
			!are_recorded(request->operators, rule->seen))
			continue;
		because = message_of(arena_printf(request->arena, "implied-%.*s", STR_ARG(rule->name)).ptr);
		code = add_implied(search, rule->calls, &because, 0);
	}
	return code;
}

static int by_name(const void *a, const void *b)
{
	return str_cmp(((const struct result_implied *)a)->name, ((const struct result_implied *)b)->name);
}

int implied_find(const struct implied_request *request, struct result *result, struct err *err)
{
	const struct operators *operators = request->operators;
	struct search search = { .request = request, .needs = needs_met(request), .err = err };
	int code = 0;

	for (size_t i = 0; i < request->target_count && !code; i++) {
		search.target = &request->targets[i];
		code = add_by_rules(&search);
		for (size_t op = 0; op < operators->count && !code; op++) {
			const struct result_verdict *verdict = &request->judgements[i][op].verdict;

			if (verdict->status == OP_COMPOSITE && !(verdict->flags & FLAG_HOST_WORK) &&
				str_eq(operators->items[op].ns, STR("aten")))
				code = add_calls_of(&search, operators->items[op].base, 0);
		}
	}
	MEM_SORT(&search.found, by_name);
	result->implied_count = search.found.count;
	result->implied = arena_keep_bytes(
		request->arena, search.found.items, search.found.count * sizeof(result->implied[0]));
	free(search.found.items);
	return code;
}

bool implied_blocks(const struct result *result, struct str target)
{
	for (size_t i = 0; i < result->implied_count; i++) {
		const struct result_implied *entry = &result->implied[i];

		for (size_t j = 0; j < entry->verdict_count; j++) {
			const struct result_verdict *verdict = &entry->verdicts[j];

			if (str_eq(verdict->target, target) && op_status_class(verdict->status) == CLASS_BLOCKED)
				return true;
		}
	}
	return false;
}
