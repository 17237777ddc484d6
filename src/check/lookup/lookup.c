#include "check/lookup/lookup.h"

#include "check/lookup/lookup_name.h"
#include "check/lookup/lookup_related.h"
#include "opdb/resolve/calls.h"

/* Operators that training adds. A name that the release lacks belongs to another version's formula. */
static int ask_gradient(struct lookup *lookup, struct lookup_answer *ret, const struct op_query *query, struct err *err)
{
	struct gradient_answer gradient;
	struct answer answer;
	struct str base = { 0 };
	int status = resolve_gradient(lookup->resolver, ret->target, query, &gradient, err);

	if (status || !gradient.calls.len)
		return status;
	ret->backward = arena_alloc(&lookup->arena, gradient.calls.len * sizeof(ret->backward[0]));
	while (!status && str_cut(&gradient.calls, ' ', &base)) {
		status = resolve_base(lookup->resolver, ret->target,
			&(struct op_query){ .ns = query->ns, .base = base }, &answer, err);
		if (!status && answer.status != OP_UNKNOWN)
			ret->backward[ret->backward_count++] = (struct lookup_backward){ base, answer.status };
	}
	return status;
}

static int ask_target(
	struct lookup *lookup, const struct target *target, struct str ns, struct str base, struct err *err)
{
	struct lookup_answer *answer = &lookup->answers[lookup->count];
	struct op_query query = { .ns = ns, .base = base, .overload = lookup->overload };
	struct name_question question = { &lookup->arena, lookup->resolver, target, lookup->name, lookup->overload,
		READING_REACHED };
	int status;

	*answer = (struct lookup_answer){ .target = target };
	status = judge_name(&question, &answer->judgement, &answer->answer, err);
	if (!status)
		status = resolve_history(lookup->resolver, target, &query, &answer->history, err);
	if (!status)
		status = ask_gradient(lookup, answer, &query, err);
	if (!status)
		status = lookup_find_related(lookup, answer, &query, err);
	if (!status)
		status = recipe_list_take(&lookup->recipes, resolver_db(lookup->resolver), &lookup->arena,
			&answer->judgement.verdict, err);
	lookup->count += !status;
	return status;
}

static int ask_operator(struct lookup *lookup, struct err *err)
{
	struct str ns = str_sub(lookup->name, 0, str_find(lookup->name, STR("::")));
	struct str base = str_skip(lookup->name, ns.len + 2);
	int status = resolve_known_in(lookup->resolver, ns, base, &lookup->known_in, err);

	lookup->answers = arena_alloc(&lookup->arena, (lookup->targets->count + 1) * sizeof(lookup->answers[0]));
	for (size_t i = 0; i < lookup->targets->count && !status; i++)
		status = ask_target(lookup, &lookup->targets->items[i], ns, base, err);
	return status;
}

static int ask_call(struct lookup *lookup, struct lookup_call *call, struct err *err)
{
	int status = 0;

	call->verdicts = arena_alloc(&lookup->arena, (lookup->targets->count + 1) * sizeof(call->verdicts[0]));
	for (size_t i = 0; i < lookup->targets->count && !status; i++) {
		struct name_question question = { &lookup->arena, lookup->resolver, &lookup->targets->items[i],
			call->call.name, STR(""), READING_REACHED };
		struct judgement judgement;
		struct answer answer;

		status = judge_name(&question, &judgement, &answer, err);
		if (!status)
			call->verdicts[call->verdict_count++] = judgement.verdict;
	}
	return status;
}

int lookup_run(
	const struct opdb *db, struct str given, const struct target_list *targets, struct lookup *ret, struct err *err)
{
	int status;

	*ret = (struct lookup){
		.arena = ARENA_INIT(ARENA_UNLIMITED), .resolver = resolver_new(db), .targets = targets
	};
	status = lookup_take_name(db, ret, given, err);
	if (!status && ret->name.len)
		status = ask_operator(ret, err);
	for (size_t i = 0; i < ret->call_count && !status; i++)
		status = ask_call(ret, &ret->calls[i], err);
	return status;
}

void lookup_clear(struct lookup *lookup)
{
	resolver_free(lookup->resolver);
	recipe_list_clear(&lookup->recipes);
	arena_clear(&lookup->arena);
	*lookup = (struct lookup){ 0 };
}
