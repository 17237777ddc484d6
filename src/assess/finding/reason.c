#include "assess/finding/reason.h"

#include "assess/judge/sparse.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/figure.h"

/* One operator on the target. */
struct judged_operator {
	struct str name;
	const struct judgement *judgement;
	const struct result_verdict *verdict;
	bool slow; /* the target */
};

/* Contribution of an operator to the verdict on its target; "" where it has no part in it. */
typedef struct str cause_word(const struct judged_operator *op);

static struct str blocking_cause(const struct judged_operator *op)
{
	if (op_status_class(op->judgement->best) != CLASS_BLOCKED)
		return STR("");
	if (op->judgement->status == OP_NEEDS_PACKAGE)
		return STR("package");
	if (op->judgement->flags & FLAG_DTYPE_LIMITED)
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
	if (op->judgement->status == OP_UNKNOWN)
		return STR("unknown");
	if (op_status_class(op->judgement->worst) < CLASS_BLOCKED)
		return STR("dtype-open");
	return condition_cause(op->verdict);
}

static struct str warning_cause(const struct judged_operator *op)
{
	if (!judgement_wants_warning(op->judgement, op->slow))
		return STR("");
	if (op->judgement->status == OP_CPU_FALLBACK)
		return STR("fallback");
	if (op->judgement->status == OP_NATIVE_JIT || op->judgement->flags & FLAG_JIT_COMPILE)
		return STR("compile");
	if (op->slow && op->judgement->flags & FLAG_AICPU)
		return STR("aicpu");
	if (op->slow && op->judgement->flags & FLAG_HOST_PATH)
		return STR("host-path");
	if (op->judgement->flags & FLAG_REPORTED_BROKEN)
		return STR("reported");
	return op->judgement->flags & FLAG_DTYPE_LIMITED ? STR("dtype") : condition_cause(op->verdict);
}

/* --- the sentence */

struct cause_tally {
	struct str cause, first; /* its largest operator */
	int64_t weight, operators;
};

struct tally {
	struct cause_tally causes[16];
	size_t count;
	int64_t weight, operators;
};

static void add_operator(struct tally *tally, struct str cause, struct str called, const struct op *op)
{
	size_t at = 0;

	while (at < tally->count && !str_eq(tally->causes[at].cause, cause))
		at++;
	if (at == ARRAY_SIZE(tally->causes))
		return;
	if (at == tally->count)
		tally->causes[tally->count++] = (struct cause_tally){ .cause = cause, .first = called };
	tally->causes[at].operators++;
	tally->causes[at].weight = figure_add(tally->causes[at].weight, op->weight);
	tally->operators++;
	tally->weight = figure_add(tally->weight, op->weight);
}

static const struct cause_tally *main_cause(const struct tally *tally)
{
	const struct cause_tally *most = &tally->causes[0];

	for (size_t i = 1; i < tally->count; i++) {
		const struct cause_tally *one = &tally->causes[i];

		if (one->weight > most->weight || (one->weight == most->weight && one->operators > most->operators))
			most = one;
	}
	return most;
}

/* "1.2 %" of 12345 millionths. */
static struct str percent_text(struct arena *arena, int64_t ppm)
{
	enum { TENTHS_OF_PERCENT = 1000, PLACES = 1 };
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	if (ppm && ppm < TENTHS_OF_PERCENT / 2)
		return STR("<0.1 %");
	decimal_put(&text, (ppm + TENTHS_OF_PERCENT / 2) / TENTHS_OF_PERCENT, PLACES);
	buf_add(&text, STR(" %"));
	return arena_keep(arena, buf_str(&text));
}

static const struct {
	enum verdict verdict;
	cause_word *cause_of;
	const char *one_cause, *several;
} sentences[] = {
	{ VERDICT_BLOCKED, blocking_cause, "reason-blocked", "reason-blocked-mostly" },
	{ VERDICT_INCONCLUSIVE, doubtful_cause, "reason-inconclusive", "reason-inconclusive-mostly" },
	{ VERDICT_WARNINGS, warning_cause, "reason-warnings", "reason-warnings-mostly" },
};

static struct message sentence_of(
	struct arena *arena, const struct tally *tally, const struct weights *weights, size_t which)
{
	const struct cause_tally *most = main_cause(tally);
	bool all = most->operators == tally->operators;

	return *MESSAGE(arena, all ? sentences[which].one_cause : sentences[which].several,
		NUMBER("operators", tally->operators),
		BLANK("share", percent_text(arena, share_ppm(tally->weight, weights->whole))),
		BLANK("cause", most->cause), COPY("operator", most->first),
		NUMBER(all ? NULL : "part", most->operators));
}

/* The first warning that the dumps hide operators. */
static struct str hiding_cause(const struct result *result)
{
	static const struct {
		const char *rule;
		struct str cause;
	} causes[] = {
		{ "capture-truncated", STR("row-limit") },
		{ "capture-top-level", STR("top-level") },
		{ "capture-compiled", STR("compiled") },
		{ "capture-device-uncovered", STR("uncovered") },
		{ "capture-rows-uncovered", STR("rows") },
	};

	for (size_t i = 0; i < result->input_count; i++) {
		const struct result_capture *capture = &result->inputs[i].capture;

		for (size_t at = 0; at < capture->warning_count * ARRAY_SIZE(causes); at++) {
			if (strcmp(capture->warnings[at / ARRAY_SIZE(causes)].id,
				    causes[at % ARRAY_SIZE(causes)].rule) == 0)
				return causes[at % ARRAY_SIZE(causes)].cause;
		}
	}
	return STR("lost");
}

void reason_put(const struct reason_request *request, struct result *result)
{
	struct result_target *target = &result->targets[request->target];
	const struct operators *operators = request->weights->operators;
	struct str hiding = hiding_cause(result);
	struct tally tally = { .count = 0 };
	bool slow = readiness_is_slow(request->weights, request->judgements);
	size_t which = 0;
	int64_t host_work = 0;

	while (which < ARRAY_SIZE(sentences) && sentences[which].verdict != target->verdict)
		which++;
	for (size_t rank = 0; rank < operators->count && which < ARRAY_SIZE(sentences); rank++) {
		size_t op = request->order[rank];
		struct result_operator *shown = &result->operators[rank];
		struct str cause = sentences[which].cause_of(&(struct judged_operator){
			shown->name, &request->judgements[op], &shown->verdicts[request->target], slow });

		if (cause.len)
			add_operator(&tally, cause,
				called_with(&result->arena, shown->name, shown->verdicts[request->target].dtypes),
				&operators->items[op]);
	}
	if (tally.count) {
		target->reason = sentence_of(&result->arena, &tally, request->weights, which);
		return;
	}
	for (size_t i = 0; i < operators->count && which == ARRAY_SIZE(sentences); i++)
		host_work += (request->judgements[i].flags & FLAG_HOST_WORK) != 0;
	target->reason = message_of(host_work                        ? "reason-ready-host"
				    : which == ARRAY_SIZE(sentences) ? "reason-ready"
				    : request->implied               ? "reason-implied"
								     : "reason-capture");
	message_add_number(&target->reason, &result->arena, "operators", (int64_t)operators->count - host_work);
	if (host_work)
		message_add_number(&target->reason, &result->arena, "host", host_work);
	if (which < ARRAY_SIZE(sentences) && !request->implied)
		message_add(&target->reason, "cause", hiding);
}
