#include "assess/judge/trial_units.h"

#include "assess/judge/call_test.h"
#include "base/value/figure.h"
#include "op/profile_links.h"
#include "opdb/db/unit_fact.h"
#include "opdb/resolve/units.h"

struct unit_trial {
	const struct trial *trial;
	const struct answer *answer;
	const struct overload_choice *choice;
	struct arena scratch; /* of one call */
	enum holds has_masks;
	bool masks_known;
	const struct unit_condition *when; /* the first that holds of a call, or may */
};

/* --- what a condition says of one call */

/* PyTorch turns boolean indices into numbers with nonzero; a dump that has no links does not tell. */
static enum holds has_masks(struct unit_trial *units)
{
	const struct judge *judge = units->trial->judge;
	size_t count;
	const struct op_link *links = profile_links(judge->profile, RELATION_PARENT, &count);

	if (units->masks_known)
		return units->has_masks;
	units->masks_known = true;
	units->has_masks = count ? HOLDS_NOT : HOLDS_MAYBE;
	for (size_t i = 0; i < count; i++) {
		if (str_eq(links[i].other, units->trial->op->name) && str_starts(links[i].name, STR("aten::nonzero")))
			units->has_masks = HOLDS_MAYBE; /* of some calls */
	}
	return units->has_masks;
}

static enum holds most(enum holds a, enum holds b)
{
	return a > b ? a : b;
}

/* Returns whether one of the kernels takes the call to the AI CPU. */
static enum holds test_kernels(struct unit_trial *units, struct tested_call *call, struct str kernels)
{
	const struct opdb *db = resolver_db(units->trial->judge->resolver);
	enum holds holds = kernels.len ? HOLDS_NOT : HOLDS_MAYBE;
	struct str kernel = { 0 };

	while (kernels.len && str_cut(&kernels, ' ', &kernel)) {
		const struct unit_condition *condition = unit_condition_of(db, kernel);
		enum holds one;

		if (condition && str_has(condition->test, STR("bool:")))
			call->has_masks = has_masks(units);
		one = condition ? call_test(call, condition->test) : HOLDS_MAYBE;
		if (one && condition && !units->when)
			units->when = condition;
		holds = most(holds, one);
	}
	return holds;
}

/* Of types that run on either unit. */
static enum holds test_types(struct unit_trial *units, struct tested_call *call, unsigned types)
{
	enum holds holds = HOLDS_NOT;
	unsigned told = 0;

	for (size_t i = 0; i < units->answer->units.count; i++) {
		const struct unit_answer *line = &units->answer->units.lines[i];
		enum holds one;

		if (!(line->dtypes & types) || (line->unit != UNIT_MIXED && line->unit != UNIT_HELPER))
			continue;
		told |= line->dtypes;
		one = test_kernels(units, call, line->kernels);
		/* a helper is a part of the call alone */
		holds = most(holds, line->unit == UNIT_HELPER && one ? HOLDS_MAYBE : one);
	}
	return types & ~told ? HOLDS_MAYBE : holds;
}

static enum holds test_strides(struct unit_trial *units, const struct tested_call *call, unsigned types)
{
	const struct opdb *db = resolver_db(units->trial->judge->resolver);
	const struct answer *answer = units->answer;
	enum holds holds = types & answer->strided ? call_writes_strided(call) : HOLDS_NOT;
	bool is_copy = ANY(i, answer->units.count,
		answer->units.lines[i].dtypes & types & ~answer->maybe_slow &&
			answer->units.lines[i].unit == UNIT_MIXED);

	if (holds && !units->when)
		units->when = unit_condition_of(db, STR("ViewCopy"));
	/* for other operators, the copy of the result is a part of the call alone */
	return holds == HOLDS && !is_copy ? HOLDS_MAYBE : holds;
}

static enum holds test_conversion(struct unit_trial *units, const struct tested_call *call)
{
	const unsigned *slow_casts = units->answer->units.slow_casts;
	enum holds holds = slow_casts ? call_converts_slowly(call, slow_casts) : HOLDS_NOT;

	if (holds && !units->when)
		units->when = unit_condition_of(resolver_db(units->trial->judge->resolver), STR("Cast"));
	return holds;
}

/* --- one use */

/* Of calls without recorded types. */
static enum holds judge_untold(struct unit_trial *units)
{
	const struct answer *answer = units->answer;
	const struct shown_types *shown = &units->trial->judge->call_facts->types[units->trial->index];
	unsigned possible = types_possible(units->trial->judge, units->trial->index);

	if (!answer->units.types) /* documents name types that a program that shows none need not have */
		possible = shown->sure | shown->maybe;
	for (size_t i = 0; i < answer->units.count && !units->when; i++) {
		struct str kernels = answer->units.lines[i].kernels, kernel;

		if (answer->units.lines[i].dtypes & possible & answer->maybe_slow && str_cut(&kernels, ' ', &kernel))
			units->when = unit_condition_of(resolver_db(units->trial->judge->resolver), kernel);
	}
	return answer->slow == DTYPE_ALL || possible & (answer->slow | answer->maybe_slow) ? HOLDS_MAYBE : HOLDS_NOT;
}

static enum holds judge_use(struct unit_trial *units, const struct profile_use *use)
{
	const struct answer *answer = units->answer;
	enum holds holds = HOLDS_NOT;
	struct use_facts facts;
	struct shape sizes, strides;
	unsigned types;
	bool shaped;

	if (!call_facts_of_use(units->choice, use, &facts))
		return judge_untold(units);
	types = facts.types.sure | facts.types.maybe;
	if (answer->slow == DTYPE_ALL)
		return HOLDS_MAYBE; /* which types is not known */
	if (types & answer->slow)
		return types & ~answer->slow ? HOLDS_MAYBE : HOLDS;
	arena_clear(&units->scratch);
	shaped = shape_parse(&units->scratch, use->shapes, &sizes);
	if (!shaped)
		sizes = (struct shape){ .sizes = NULL };
	struct tested_call call = {
		.base = units->trial->op->base, .call = &facts.call, .params = facts.params, .sizes = &sizes
	};

	if (shaped && use_strides(use).len && !use->strides_vary &&
		shape_parse(&units->scratch, use_strides(use), &strides))
		call.strides = &strides;
	if (types & answer->maybe_slow)
		holds = test_types(units, &call, types & answer->maybe_slow);
	holds = most(holds, test_strides(units, &call, types));
	return most(holds, test_conversion(units, &call));
}

/* --- the operator */

/* In what the operator is weighed by. */
static int64_t weight_of(const struct op *op, const struct profile_use *use)
{
	int64_t weight = op->weight == op->self_device_ns ? use->self_device_ns
			 : op->weight == op->self_cpu_ns  ? use->self_cpu_ns
							  : (int64_t)use->calls;

	return weight > 0 ? weight : 0;
}

struct unit_sum {
	int64_t all, sure, possible;
};

/* Of calls that may run there, the part that usually does; all of them if not measured. */
static int64_t usual_part(const struct unit_condition *when, int64_t weight)
{
	int64_t part = when && when->usual_ppm ? (int64_t)((__int128)weight * (int64_t)when->usual_ppm / WHOLE_PPM)
					       : weight;

	return weight && !part ? 1 : part;
}

static void sum_use(struct unit_sum *sum, enum holds holds, const struct unit_condition *usual, int64_t weight)
{
	int64_t possible = holds == HOLDS_MAYBE ? usual_part(usual, weight) : weight;

	sum->all = figure_add(sum->all, weight);
	sum->sure = figure_add(sum->sure, holds == HOLDS ? weight : 0);
	sum->possible = figure_add(sum->possible, holds ? possible : 0);
}

/* The condition that decides for calls without strides; NULL where the dump has them. */
static const struct unit_condition *usual_of(const struct unit_trial *units, const struct profile_use *use)
{
	return use_strides(use).len ? NULL : units->when;
}

static int64_t part_of(int64_t part, int64_t all)
{
	return (int64_t)((__int128)part * WHOLE_PPM / all);
}

/* The parts that certainly and possibly run there. */
struct unit_part {
	bool possible;
	int64_t lo_ppm, hi_ppm;
};

/* The part of the operator's time, or of its calls where no time was measured. */
static struct unit_part part_of_uses(struct unit_trial *units)
{
	const struct op *op = units->trial->op;
	struct unit_sum time = { 0 }, calls = { 0 };
	const struct unit_sum *sum = &calls;
	size_t count;
	const struct profile_use *uses = profile_uses(units->trial->judge->profile, &count);

	for (size_t i = 0; i < op->use_count; i++) {
		const struct profile_use *use = &uses[op->uses[i]];
		enum holds holds = use->calls ? judge_use(units, use) : HOLDS_NOT;

		sum_use(&time, holds, usual_of(units, use), weight_of(op, use));
		sum_use(&calls, holds, usual_of(units, use), (int64_t)use->calls);
	}
	if (calls.possible && time.all)
		sum = &time;
	return calls.possible
		       ? (struct unit_part){ true, part_of(sum->sure, sum->all), part_of(sum->possible, sum->all) }
		       : (struct unit_part){ false };
}

/* The units of an answer; their lists live as long as the resolver, so equal ones are the same. */
struct part_memo {
	struct part_memo *next;
	struct units_said {
		const struct unit_answer *lines;
		const unsigned *slow_casts;
		unsigned slow, maybe_slow, strided, types;
	} said;
	struct unit_part part;
	const struct unit_condition *when;
};

/* Every release is asked about every use: those with the same kernels come to the same. */
static struct unit_part part_of_told(struct unit_trial *units)
{
	const struct answer *answer = units->answer;
	const struct call_facts *call_facts = units->trial->judge->call_facts;
	struct part_memo **memos = &call_facts->units[units->trial->index], *memo = *memos;
	struct units_said said = { answer->units.lines, answer->units.slow_casts, answer->slow, answer->maybe_slow,
		answer->strided, answer->units.types };

	while (memo && memcmp(&memo->said, &said, sizeof(said)) != 0)
		memo = memo->next;
	if (!memo) {
		memo = arena_alloc(call_facts->arena, sizeof(*memo));
		memo->said = said;
		memo->part = part_of_uses(units);
		memo->when = units->when;
		memo->next = *memos;
		*memos = memo;
	}
	units->when = memo->when;
	return memo->part;
}

void trial_units(struct trial *trial, const struct answer *answer)
{
	struct unit_trial units = { .trial = trial,
		.answer = answer,
		.choice = &trial->judge->call_facts->choices[trial->index],
		.scratch = ARENA_INIT(ARENA_UNLIMITED) };
	const struct shown_types *shown = &trial->judge->call_facts->types[trial->index];
	unsigned types = shown->sure | shown->maybe | types_possible(trial->judge, trial->index);
	bool matters = answer->slow == DTYPE_ALL || types & (answer->slow | answer->maybe_slow | answer->strided);
	struct unit_part part = { false };

	if (trial->op->calls && matters && shown->told) {
		part = part_of_told(&units);
	} else if (trial->op->calls && matters) { /* no call tells its types: one answer holds for all of them */
		part.possible = judge_untold(&units);
		part.hi_ppm = usual_part(units.when, WHOLE_PPM);
	}
	arena_clear(&units.scratch);
	trial->judgement->verdict.flags &= ~(unsigned)FLAG_AICPU;
	if (!part.possible)
		return;
	trial->judgement->verdict.flags |= FLAG_AICPU;
	trial->judgement->verdict.aicpu = (struct result_interval){ part.lo_ppm, part.hi_ppm };
	trial->judgement->aicpu_when = units.when;
}
