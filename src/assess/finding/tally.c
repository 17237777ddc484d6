#include "assess/finding/tally.h"

#include "assess/judge/sparse.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"

/* One operator on the target. */
struct judged_operator {
	struct str name;
	const struct judgement *judgement;
	bool slow; /* the target */
};

/* Contribution of an operator to the verdict on its target; "" where it has no part in it. */
typedef struct str cause_word(const struct judged_operator *op);

static struct str blocking_cause(const struct judged_operator *op)
{
	if (op_status_class(op->judgement->best) != CLASS_BLOCKED)
		return STR("");
	if (op->judgement->verdict.status == OP_NEEDS_PACKAGE)
		return STR("package");
	if (op->judgement->verdict.flags & FLAG_DTYPE_LIMITED)
		return STR("dtype");
	return sparse_by_name(op->name) ? STR("sparse") : STR("kernel");
}

static const struct {
	const char *condition;
	struct str cause;
} cause_of_condition[] = {
	{ "op-dtype", STR("dtype") },
	{ "op-dtype-if", STR("dtype") },
	{ "op-argument", STR("argument") },
	{ "op-chip", STR("chip") },
	{ "op-sparse", STR("sparse") },
	{ "op-overload", STR("overload") },
	{ "op-out-variant", STR("overload") },
	{ "op-reported", STR("reported") },
	{ "op-overlay-limit", STR("overlay") },
	{ "op-name-cut", STR("name-cut") },
	{ "op-called-by-name", STR("by-name") },
	{ "op-calls", STR("calls") },
};

static struct str condition_cause(const struct result_verdict *verdict)
{
	for (size_t i = 0; i < verdict->condition_count; i++) {
		for (size_t j = 0; j < ARRAY_SIZE(cause_of_condition); j++) {
			if (strcmp(verdict->conditions[i].id, cause_of_condition[j].condition) == 0)
				return cause_of_condition[j].cause;
		}
	}
	return STR("condition");
}

static struct str doubtful_cause(const struct judged_operator *op)
{
	if (op_status_class(judgement_worst(op->judgement)) < CLASS_BLOCKED)
		return STR("");
	if (op->judgement->verdict.status == OP_UNKNOWN)
		return STR("unknown");
	if (op_status_class(op->judgement->worst) < CLASS_BLOCKED)
		return STR("dtype-open");
	return condition_cause(&op->judgement->verdict);
}

static struct str warning_cause(const struct judged_operator *op)
{
	if (!judgement_wants_warning(op->judgement, op->slow))
		return STR("");
	if (op->judgement->verdict.status == OP_CPU_FALLBACK)
		return STR("fallback");
	if (op->judgement->verdict.status == OP_NATIVE_JIT || op->judgement->verdict.flags & FLAG_JIT_COMPILE)
		return STR("compile");
	if (op->slow && op->judgement->verdict.flags & FLAG_AICPU)
		return STR("aicpu");
	if (op->slow && op->judgement->verdict.flags & FLAG_HOST_PATH)
		return STR("host-path");
	if (op->judgement->verdict.flags & FLAG_REPORTED_BROKEN)
		return STR("reported");
	return op->judgement->verdict.flags & FLAG_DTYPE_LIMITED ? STR("dtype")
								 : condition_cause(&op->judgement->verdict);
}

/* By verdict; NULL: nothing limits the operators. */
static cause_word *const cause_words[] = {
	[VERDICT_READY] = NULL,
	[VERDICT_WARNINGS] = warning_cause,
	[VERDICT_INCONCLUSIVE] = doubtful_cause,
	[VERDICT_BLOCKED] = blocking_cause,
};

static void add_operator(struct tally *tally, struct str cause, struct str called, const struct op *op,
	const struct judgement *judgement)
{
	struct cause_tally *of;
	size_t at = 0;

	while (at < tally->count && !str_eq(tally->causes[at].cause, cause))
		at++;
	if (at == ARRAY_SIZE(tally->causes))
		return;
	of = &tally->causes[at];
	if (at == tally->count) {
		*of = (struct cause_tally){ .cause = cause };
		tally->count++;
	}
	if (of->operators < CAUSE_NAMES)
		of->names[of->operators] = called;
	if (judgement->verdict.status == OP_NEEDS_PACKAGE && judgement->package.len &&
		of->package_count < CAUSE_NAMES && !STR_IS_AMONG(of->packages, of->package_count, judgement->package))
		of->packages[of->package_count++] = judgement->package;
	of->operators++;
	of->weight = figure_add(of->weight, op->weight);
	tally->operators++;
	tally->weight = figure_add(tally->weight, op->weight);
}

void tally_causes(const struct reason_request *request, struct result *result, struct tally *ret)
{
	cause_word *cause_of = cause_words[result->targets[request->target].verdict];
	const struct operators *operators = request->weights->operators;
	bool slow = readiness_is_slow(request->weights, request->judgements);

	*ret = (struct tally){ .count = 0 };
	for (size_t rank = 0; rank < operators->count && cause_of; rank++) {
		size_t op = request->order[rank];
		struct result_operator *shown = &result->operators[rank];
		const struct judgement *judgement = &request->judgements[op];
		struct str cause = cause_of(&(struct judged_operator){ shown->name, judgement, slow });

		if (cause.len)
			add_operator(ret, cause, called_with(&result->arena, shown->name, judgement->verdict.dtypes),
				&operators->items[op], judgement);
	}
}

const struct cause_tally *tally_largest(const struct tally *tally)
{
	const struct cause_tally *most = &tally->causes[0];

	for (size_t i = 1; i < tally->count; i++) {
		const struct cause_tally *one = &tally->causes[i];

		if (one->weight > most->weight || (one->weight == most->weight && one->operators > most->operators))
			most = one;
	}
	return most;
}
