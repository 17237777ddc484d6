#include "assess/judge/call_facts.h"

#include "assess/judge/assume.h"
#include "assess/model/graph_capture.h"
#include "base/memory/map.h"
#include "base/value/figure.h"
#include "op/profile_links.h"
#include "opdb/model/name_list.h"

/* --- the types of one call */

/* Type promotion: bool < integers < floats < complex. */
static int category(unsigned type)
{
	static const unsigned floats = DTYPE_FP32 | DTYPE_FP16 | DTYPE_BF16 | DTYPE_FP64 | DTYPE_FP8;
	static const unsigned complexes = DTYPE_COMPLEX32 | DTYPE_COMPLEX64 | DTYPE_COMPLEX128;

	return type & complexes ? 3 : type & floats ? 2 : type & ~(unsigned)DTYPE_BOOL ? 1 : 0;
}

/* The highest category among the arguments with dimensions, -1 without such. */
static int deciding_category(const struct call *call)
{
	int highest = -1;

	for (size_t i = 0; i < call->count; i++) {
		unsigned type = call->arguments[i].type.len ? dtype_from(call->arguments[i].type) : 0;

		if (type && call->arguments[i].form == SHAPE_SIZED && category(type) > highest)
			highest = category(type);
	}
	return highest;
}

/* Returns whether an argument is data that a kernel computes with. params: those of the likely overload, or NULL. */
static bool is_data(const struct call_argument *argument, const struct schema_param *params, size_t i)
{
	if (!params)
		return argument->type.len || argument->may & VALUE_TENSORS;
	if (params[i].type != TYPE_TENSOR || name_is_listed(NAMES_SELECTS, params[i].name))
		return false;
	return argument->type.len || (params[i].list && argument->may & (VALUE_TENSORS | VALUE_MAYBE_TENSORS));
}

static void add_types(
	const struct call *call, const struct schema_param *params, struct shown_types *ret, unsigned *seen)
{
	int deciding = deciding_category(call);
	bool first = true;

	for (size_t i = 0; i < call->count; i++) {
		const struct call_argument *argument = &call->arguments[i];
		unsigned type = argument->type.len ? dtype_from(argument->type) : 0;

		*seen |= type;
		if (!is_data(argument, params, i))
			continue;
		if (!type && !str_starts(argument->type, STR("c10::q"))) /* quantized ones: no fact is about them */
			ret->untold = true;
		if (argument->form == SHAPE_SIZED || (first && category(type) > deciding))
			ret->sure |= type;
		else if (category(type) > deciding)
			ret->maybe |= type;
		ret->sized |= argument->form == SHAPE_SIZED ? type : 0;
		first = false;
	}
}

/* --- all calls */

static const struct schema_param *likely_params(
	const struct known_overloads *known, const struct overload_set *set, const struct call *call)
{
	for (size_t i = 0; set->fits && i < known->signature_count; i++) {
		const struct known_signature *signature = &known->signatures[i];

		if (signature->overload == set->likely &&
			call_fits(call, signature->params, signature->param_count) != CALL_FITS_NOT)
			return signature->params;
	}
	return NULL;
}

bool call_facts_of_use(const struct overload_choice *choice, const struct profile_use *use, struct use_facts *ret)
{
	struct str concrete = use->concrete_varies ? STR("") : use_concrete(use);
	struct overload_set set;
	unsigned seen = 0;

	ret->types = (struct shown_types){ 0 };
	if (!use->dtypes.len || !call_read(use->shapes, use->dtypes, concrete, &ret->call) || !ret->call.typed)
		return false;
	set = overload_of_use(&choice->known, use);
	ret->params = likely_params(&choice->known, &set, &ret->call);
	add_types(&ret->call, ret->params, &ret->types, &seen);
	return !ret->types.untold && ret->types.sure | ret->types.maybe;
}

static void gather_use(const struct profile_use *use, const struct overload_choice *choice, struct shown_types *types,
	struct call_facts *ret)
{
	struct overload_set set;
	struct call call;

	if (!use->dtypes.len || !call_read(use->shapes, use->dtypes, STR(""), &call) || !call.typed) {
		types->untold = true;
		return;
	}
	types->told = ret->tells_types = true;
	set = overload_of_use(&choice->known, use);
	add_types(&call, likely_params(&choice->known, &set, &call), types, &ret->types_seen);
}

int call_facts_gather(const struct judge *judge, struct call_facts *ret, struct err *err)
{
	const struct operators *operators = judge->operators;
	const struct profile_use *uses;
	size_t use_count;
	int status;

	*ret = (struct call_facts){ .arena = judge->arena,
		.types = arena_alloc(judge->arena, (operators->count + 1) * sizeof(ret->types[0])),
		.units = arena_alloc(judge->arena, (operators->count + 1) * sizeof(ret->units[0])),
		.limits = arena_alloc(judge->arena, (operators->count + 1) * sizeof(ret->limits[0])) };
	ret->captured = graph_captured(judge->profile);
	status = overloads_choose(judge, &ret->choices, err);
	uses = profile_uses(judge->profile, &use_count);
	for (size_t i = 0; i < operators->count && !status; i++) {
		const struct op *op = &operators->items[i];

		ret->makes_complex |= name_is_listed(NAMES_MAKES_COMPLEX, op->name);
		for (size_t n = 0; n < op->use_count && !(judge->host_work && judge->host_work[i]); n++) {
			op_fetch_ahead(op, uses, n);
			if (uses[op->uses[n]].calls)
				gather_use(&uses[op->uses[n]], &ret->choices[i], &ret->types[i], ret);
		}
	}
	return status;
}

unsigned types_possible(const struct judge *judge, size_t op)
{
	const struct call_facts *call_facts = judge->call_facts;
	const struct shown_types *types = &call_facts->types[op];
	unsigned possible = types->sure | types->maybe, seen = call_facts->types_seen;
	unsigned complexes = call_facts->makes_complex ? DTYPE_COMPLEX64 : 0;

	if (!types->untold)
		return possible;
	if (judge->stated_types)
		return possible | judge->stated_types | complexes;
	if (!call_facts->tells_types)
		return possible | DTYPE_USUAL | complexes;
	/* other types, as indices have, say nothing of this operator: a dump that tells more leaves no more open */
	return possible | (seen & DTYPE_USUAL ? seen & DTYPE_USUAL : seen);
}

bool types_are_open(const struct judge *judge, size_t op)
{
	return judge->call_facts->types[op].untold && !judge->stated_types && !judge->call_facts->tells_types;
}

/* --- operators that only a DataLoader calls */

enum { DEEPEST = 16 };

bool *host_work_find(struct arena *arena, const struct profile *profile, const struct operators *operators,
	const struct assumption_list *assumptions)
{
	bool *host = arena_alloc(arena, operators->count + 1);
	uint64_t *calls = arena_alloc(arena, (operators->count + 1) * sizeof(calls[0]));
	CLEANUP(map_clear) struct map by_name = { 0 };
	size_t link_count;
	const struct op_link *links = profile_links(profile, RELATION_PARENT, &link_count);
	bool added = true;

	for (size_t i = 0; i < operators->count; i++)
		map_add_name(&by_name, operators->items[i].name, (uint32_t)i);
	for (unsigned depth = 0; depth < DEEPEST && added; depth++) {
		memset(calls, 0, operators->count * sizeof(calls[0]));
		for (size_t i = 0; i < link_count; i++) {
			uint32_t child = MAP_FIND(&by_name, operators->items, links[i].name);
			uint32_t parent = MAP_FIND(&by_name, operators->items, links[i].other);

			if (child != MAP_NONE &&
				(str_eq(links[i].other, STR(LINK_DATA_LOADER)) || (parent != MAP_NONE && host[parent])))
				calls[child] = figure_count(calls[child], links[i].calls);
		}
		added = false;
		for (size_t i = 0; i < operators->count; i++) {
			const struct op *op = &operators->items[i];

			if (!host[i] && op->self_device_ns <= 0 && op->calls && calls[i] >= op->calls)
				host[i] = added = true;
		}
	}
	for (size_t i = 0; i < operators->count; i++)
		host[i] &= !assumption_about(assumptions, operators->items[i].name);
	return host;
}

void host_work_judge(struct judgement *judgement)
{
	struct result_verdict verdict = judgement->verdict;

	if (!judgement_runs_on_device(verdict.status))
		verdict.status = OP_NATIVE;
	verdict.flags = FLAG_HOST_WORK;
	verdict.via = STR("host work: only a DataLoader calls it, so the CPU runs it");
	verdict.overload_count = verdict.condition_count = verdict.advice_count = 0;
	verdict.aicpu = (struct result_interval){ 0 };
	*judgement = (struct judgement){ .verdict = verdict, .best = verdict.status, .worst = verdict.status };
}
