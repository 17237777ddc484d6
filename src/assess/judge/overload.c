#include "assess/judge/overload.h"

#include "base/value/words.h"
#include "opdb/db/names.h"

enum { NAME_SIGNATURES = 256 };

/* --- the overloads of a name */

struct learning {
	struct arena *arena;
	struct str names[NAME_OVERLOADS];
	struct known_signature signatures[NAME_SIGNATURES];
	size_t count, signature_count;
	bool failed;
};

static int learn_signature(void *ctx, struct str overload, struct str text)
{
	struct learning *learning = ctx;
	struct known_signature *signature = &learning->signatures[learning->signature_count];
	struct schema_param params[CALL_ARGUMENTS];
	size_t number = STR_POSITION(learning->names, learning->count, overload);

	if (number == STR_NONE && learning->count < NAME_OVERLOADS)
		learning->names[number = learning->count++] = overload;
	if (learning->failed || number == STR_NONE || learning->signature_count == NAME_SIGNATURES ||
		!schema_params(text, params, CALL_ARGUMENTS, &signature->param_count)) {
		learning->failed = true;
		return 0;
	}
	signature->overload = (unsigned)number;
	signature->params = arena_keep_bytes(learning->arena, params, signature->param_count * sizeof(params[0]));
	signature->out = ANY(i, signature->param_count, params[i].keyword_only && params[i].written);
	learning->signature_count++;
	return 0;
}

int overloads_know(struct arena *arena, struct resolver *resolver, const struct op *op, struct known_overloads *ret,
	struct err *err)
{
	struct str not_in_place = str_ends(op->name, STR("_")) ? str_chop(op->name, 1) : op->name;
	struct learning learning;
	int status;

	learning.arena = arena;
	learning.count = learning.signature_count = 0;
	learning.failed = false;
	*ret = (struct known_overloads){ .numbers_as_tensors = operator_rule_find(
						 resolver_db(resolver), RULE_NUMBERS_AS_TENSORS, not_in_place) };
	status = resolve_signatures(
		resolver, &(struct op_query){ .ns = op->ns, .base = op->base }, learn_signature, &learning, err);
	if (learning.failed || !learning.count)
		return status;
	ret->count = learning.count;
	ret->names = arena_keep_bytes(arena, learning.names, learning.count * sizeof(learning.names[0]));
	ret->signature_count = learning.signature_count;
	ret->signatures = arena_keep_bytes(
		arena, learning.signatures, learning.signature_count * sizeof(learning.signatures[0]));
	return status;
}

/* --- one call */

/* Rank of a signature among those that fit, the least likely last: if the dump does not separate a number from a
   tensor without dimensions it is mostly a number, unless Python makes tensors of numbers; programs seldom give
   "out="; the overload without a name was first. */
static unsigned unlikely(
	const struct known_overloads *known, const struct known_signature *signature, const struct call *call)
{
	enum { WORTH_OUT = 1 << 16, WORTH_TENSOR = 2 };
	unsigned tensors = call_guessed_tensors(call, signature->params, signature->param_count);
	unsigned guesses = known->numbers_as_tensors ? (unsigned)call->count - tensors : tensors;

	return guesses * WORTH_TENSOR + (signature->out ? WORTH_OUT : 0u) +
	       (known->names[signature->overload].len != 0);
}

struct overload_set overloads_fit(const struct known_overloads *known, const struct call *call)
{
	struct overload_set set = { .by = call->typed ? OVERLOAD_BY_TYPES : OVERLOAD_BY_SHAPES };
	enum call_fit best = CALL_FITS_LOOSELY;
	unsigned least = 0;

	for (size_t i = 0; i < known->signature_count; i++) {
		const struct known_signature *signature = &known->signatures[i];
		enum call_fit fit = call_fits(call, signature->params, signature->param_count);
		unsigned unlike;

		if (fit < best)
			continue;
		if (fit > best)
			set.fits = 0;
		best = fit;
		unlike = unlikely(known, signature, call);
		if (!set.fits || unlike < least) {
			least = unlike;
			set.likely = signature->overload;
		}
		set.fits |= UINT64_C(1) << signature->overload;
	}
	if (!set.fits)
		set.by = OVERLOAD_UNTOLD;
	return set;
}

/* --- all calls of an operator */

struct overload_set overload_of_use(const struct known_overloads *known, const struct profile_use *use)
{
	struct str concrete = use->concrete_varies ? STR("") : use_concrete(use);
	struct overload_set set = { .by = OVERLOAD_UNTOLD };
	struct call call;

	for (unsigned i = 0; use->has_overload && i < known->count; i++) {
		if (str_eq(known->names[i], use->overload))
			return (struct overload_set){ .fits = UINT64_C(1) << i, .likely = i, .by = OVERLOAD_RECORDED };
	}
	if (use->has_overload || !known->count)
		return set;
	if (call_read(use->shapes, use->dtypes, concrete, &call))
		set = overloads_fit(known, &call);
	/* words that fit no signature say nothing: PyTorch 1.8 had none for numbers, either */
	if (!set.fits && use->dtypes.len && call_read(use->shapes, STR(""), concrete, &call))
		set = overloads_fit(known, &call);
	return set;
}

static void add_set(struct arena *arena, struct overload_choice *choice, struct overload_set set, size_t most)
{
	for (size_t i = 0; i < choice->set_count; i++) {
		struct overload_set *one = &choice->sets[i];

		if (one->fits == set.fits && one->likely == set.likely && one->by == set.by) {
			one->calls += set.calls;
			return;
		}
	}
	if (!choice->sets)
		choice->sets = arena_alloc(arena, most * sizeof(choice->sets[0]));
	choice->sets[choice->set_count++] = set;
}

static int choose_for_operator(
	const struct judge *judge, const struct op *op, struct overload_choice *ret, struct err *err)
{
	size_t count;
	const struct profile_use *uses = profile_uses(judge->profile, &count);
	int status = overloads_know(judge->arena, judge->resolver, op, &ret->known, err);
	struct overload_set set = { 0 };
	const struct profile_use *last = NULL;

	for (size_t i = 0; !status && i < op->use_count; i++) {
		const struct profile_use *use = &uses[op->uses[i]];
		bool alike;

		op_fetch_ahead(op, uses, i);
		if (!use->calls)
			continue;
		/* most calls of an operator differ in sizes alone, which choose no overload */
		alike = last && !last->has_overload && !use->has_overload && !use_concrete(last).len &&
			!use_concrete(use).len && str_eq(last->dtypes, use->dtypes) &&
			shape_differs_in_sizes(last->shapes, use->shapes);
		if (!alike)
			set = overload_of_use(&ret->known, use);
		last = use;
		set.calls = use->calls;
		add_set(judge->arena, ret, set, op->use_count);
	}
	return status;
}

int overloads_choose(const struct judge *judge, struct overload_choice **ret, struct err *err)
{
	const struct operators *operators = judge->operators;
	struct overload_choice *choices = arena_alloc(judge->arena, (operators->count + 1) * sizeof(choices[0]));
	int status = 0;

	for (size_t i = 0; i < operators->count && !status; i++) {
		if (!operators->items[i].completion_count)
			status = choose_for_operator(judge, &operators->items[i], &choices[i], err);
	}
	*ret = choices;
	return status;
}
