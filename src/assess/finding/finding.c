#include "assess/finding/finding.h"

#include <stdlib.h>

#include "assess/judge/recipes.h"
#include "assess/model/words.h"
#include "assess/shape/dynamic.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "base/value/sha256.h"
#include "base/view/ascii.h"
#include "opdb/db/note.h"
#include "opdb/model/name_list.h"

/* --- one finding */

/* 16 hexadecimal digits of what was added. */
static struct str digits_of(struct arena *arena, struct sha256 *sha)
{
	enum { DIGITS = 16 };
	char hex[SHA256_HEX_BYTES];

	sha256_end(sha, hex);
	return arena_keep(arena, (struct str){ hex, DIGITS });
}

/* Names a finding over time: the same one has the same fingerprint in every run. */
static struct str fingerprint(struct arena *arena, const char *rule, struct str about, struct str target)
{
	struct sha256 *sha = sha256_new();

	sha256_add_field(sha, str_from(rule));
	sha256_add_field(sha, about);
	sha256_add_field(sha, target);
	return digits_of(arena, sha);
}

static struct result_finding *push_finding(
	struct finding_list *findings, const char *rule, struct str operator_name, struct str target)
{
	struct result_finding finding = { .what = message_of(rule),
		.operator_name = operator_name,
		.target = target,
		.severity = rule_find(str_from(rule))->severity,
		.fingerprint = fingerprint(findings->arena, rule, operator_name, target) };

	MEM_PUSH(findings, finding);
	return &findings->items[findings->count - 1];
}

struct result_finding *finding_add(
	struct finding_list *findings, const char *rule, struct str operator_name, struct str target)
{
	struct result_finding *finding = push_finding(findings, rule, operator_name, target);

	message_add(&finding->what, "operator", operator_name);
	message_add(&finding->what, "target", target);
	return finding;
}

struct result_finding *finding_add_about(struct finding_list *findings, const char *rule, struct str about)
{
	struct result_finding *finding = push_finding(findings, rule, about, STR(""));

	finding->operator_name = STR("");
	return finding;
}

bool finding_tell_apart(struct finding_list *findings, struct str about)
{
	struct result_finding *last = &findings->items[findings->count - 1];

	last->fingerprint = fingerprint(findings->arena, last->what.id, about, last->target);
	if (!ANY(i, findings->count - 1, str_eq(findings->items[i].fingerprint, last->fingerprint)))
		return true;
	findings->count--;
	return false;
}

static struct result_finding *add_on_any_target(
	struct finding_list *findings, const struct result_operator *op, const char *rule)
{
	struct result_finding *finding = push_finding(findings, rule, op->name, STR(""));

	message_add(&finding->what, "operator", op->name);
	finding->share_ppm = op->share_ppm;
	return finding;
}

/* Adds a finding about several operators, of which the first is named; its fingerprint is that of the rule. */
static struct result_finding *finding_of_several(
	struct finding_list *findings, const struct result_operator *first, const char *rule)
{
	struct result_finding *finding = add_on_any_target(findings, first, rule);

	finding->fingerprint = fingerprint(findings->arena, rule, STR(""), STR(""));
	return finding;
}

/* The verdict's advice as far as it is about what the rule says. */
static void put_advice(
	struct finding_list *findings, const struct result_verdict *verdict, struct result_finding *finding)
{
	struct str rule = str_from(finding->what.id);
	/* these are about something else, where a recipe for types is no help */
	bool about_types = !str_has_word(STR("op-host-path op-overload op-out-variant op-calls op-chip op-compiles "
					     "op-slow-path op-overlay op-called-by-name op-name-cut"),
		rule);

	finding->advice = arena_alloc(findings->arena, (verdict->advice_count + 1) * sizeof(finding->advice[0]));
	for (size_t i = 0; i < verdict->advice_count; i++) {
		const struct message *advice = &verdict->advice[i];
		bool recipe = strcmp(advice->id, "advice-recipe") == 0;

		if (str_starts(str_from(advice->id), STR("advice-aic")) && !str_eq(rule, STR("op-aicpu")))
			continue;
		if (!recipe || about_types || !findings->db ||
			!recipe_is_for_types(findings->db, advice->params[0].value))
			finding->advice[finding->advice_count++] = *advice;
	}
}

/* About a verdict: its evidence and its advice belong to the finding. */
static struct result_finding *add_on_target(struct finding_list *findings, const struct result_operator *op,
	const struct result_verdict *verdict, const char *rule)
{
	struct result_finding *finding = finding_add(findings, rule, op->name, verdict->target);

	finding->share_ppm = op->share_ppm;
	finding->evidence = verdict->evidence;
	finding->evidence_count = verdict->evidence_count;
	put_advice(findings, verdict, finding);
	return finding;
}

/* --- verdicts */

static const char *const status_rules[OP_STATUS_COUNT] = {
	[OP_CPU_FALLBACK] = "op-cpu-fallback",
	[OP_UNSUPPORTED] = "op-unsupported",
	[OP_NEEDS_PACKAGE] = "op-needs-package",
	[OP_UNKNOWN] = "op-unknown",
};

static const struct {
	enum op_flag flag;
	const char *rule;
	bool is_slow; /* matters on a slow target alone */
} flag_rules[] = {
	{ FLAG_HOST_PATH, "op-host-path", true },
	{ FLAG_AICPU, "op-aicpu", true },
	{ FLAG_REPORTED_BROKEN, "op-reported-broken" },
};

/* The facts on the operator on the target, which change only with the database. */
static struct str fact_digits(struct arena *arena, const struct result_verdict *verdict)
{
	struct sha256 *sha = sha256_new();

	sha256_add_field(sha, op_status_name(verdict->status));
	sha256_add_field(sha, verdict->via);
	for (unsigned i = 0; i < flag_words.count; i++) {
		if (verdict->flags >> i & 1)
			sha256_add_field(sha, word_for(&flag_words, i));
	}
	for (size_t i = 0; i < verdict->condition_count; i++) {
		sha256_add_field(sha, str_from(verdict->conditions[i].id));
		for (size_t j = 0; j < verdict->conditions[i].count; j++)
			sha256_add_field(sha, verdict->conditions[i].params[j].value);
	}
	for (size_t i = 0; i < verdict->evidence_count; i++) {
		sha256_add_field(sha, verdict->evidence[i].ref);
		sha256_add_field(sha, verdict->evidence[i].text);
	}
	return digits_of(arena, sha);
}

/* "S5000, 2026-09-22: repeated native torch.mode raises ...", with its report alone as evidence. */
static void add_report(struct finding_list *findings, const struct result_operator *op,
	const struct result_verdict *verdict, const char *rule, const struct note *note)
{
	struct result_finding *finding = add_on_target(findings, op, verdict, rule);
	struct str chips = chips_text(findings->arena, note->target, note->chips, ", ");

	message_add(&finding->what, "report",
		arena_printf(findings->arena, "%.*s%s%.*s%s%.*s", STR_ARG(chips),
			chips.len && note->date.len ? ", " : "", STR_ARG(note->date),
			chips.len || note->date.len ? ": " : "", STR_ARG(note->text)));
	finding->evidence = arena_alloc(findings->arena, sizeof(finding->evidence[0]));
	finding->evidence[0] = (struct result_evidence){ EVIDENCE_REPORT,
		arena_keep(findings->arena, str_starts(note->ref, STR("https://")) ? note->ref : STR("")),
		arena_keep(findings->arena, str_starts(note->ref, STR("https://")) ? STR("") : note->ref),
		arena_keep(findings->arena, note->date) };
	finding->evidence_count = 1;
}

/* The AI CPU and copies to the host inside of a kernel are notes unless the target is slow. */
static void findings_of_flags(
	struct finding_list *findings, const struct result_operator *op, const struct judgement *judgement, bool slow)
{
	const struct result_verdict *verdict = &judgement->verdict;
	struct result_finding *finding;

	for (size_t i = 0; i < ARRAY_SIZE(flag_rules); i++) {
		bool told = flag_rules[i].flag == FLAG_REPORTED_BROKEN && !judgement->fails &&
			    (judgement->crash || judgement->wrong);

		if (!(verdict->flags & flag_rules[i].flag) || told)
			continue;
		finding = add_on_target(findings, op, verdict, flag_rules[i].rule);
		if (flag_rules[i].is_slow && !slow)
			finding->severity = SEVERITY_NOTE;
		if (flag_rules[i].flag == FLAG_AICPU && verdict->aicpu.lo_ppm == WHOLE_PPM)
			message_add(&finding->what, "often", STR("always"));
	}
}

void findings_of_verdict(
	struct finding_list *findings, const struct result_operator *op, const struct judgement *judgement, bool slow)
{
	const struct result_verdict *verdict = &judgement->verdict;
	const char *rule = status_rules[verdict->status];
	bool compiles = verdict->status == OP_NATIVE_JIT || (verdict->flags & FLAG_JIT_COMPILE);
	struct result_finding *finding;
	size_t first = findings->count;
	struct str fact;

	if (verdict->flags & FLAG_HOST_WORK)
		return;
	if (rule) {
		finding = add_on_target(findings, op, verdict, rule);
		if (verdict->dtypes.len) {
			finding->what.params[0].value = called_with(findings->arena, op->name, verdict->dtypes);
			message_add(&finding->what, "dtypes", verdict->dtypes);
		}
		if (judgement->package.len)
			message_add_copy(&finding->what, findings->arena, "package", judgement->package);
	}
	for (size_t i = 0; i < verdict->condition_count; i++) {
		finding = add_on_target(findings, op, verdict, verdict->conditions[i].id);
		finding->what = verdict->conditions[i];
	}
	if (verdict->flags & FLAG_OVERLAY &&
		!ANY(i, verdict->condition_count, strcmp(verdict->conditions[i].id, "op-overlay-limit") == 0)) {
		finding = add_on_target(findings, op, verdict, "op-overlay");
		message_add(&finding->what, "via", verdict->via);
	}
	findings_of_flags(findings, op, judgement, slow);
	if (judgement->crash)
		add_report(findings, op, verdict, "op-reported-crash", judgement->crash);
	if (judgement->wrong)
		add_report(findings, op, verdict, "op-reported-wrong", judgement->wrong);
	if (judgement->possible)
		add_report(findings, op, verdict, "op-reported-possible", judgement->possible);
	if (judgement->slow_path)
		add_on_target(findings, op, verdict, "op-slow-path");
	if (compiles && dynamic_is_changing(op->dynamic.kind))
		add_on_target(findings, op, verdict, "shape-recompile");
	else if (compiles)
		add_on_target(findings, op, verdict, "op-compiles");
	if (first == findings->count)
		return;
	fact = fact_digits(findings->arena, verdict);
	for (size_t i = first; i < findings->count; i++)
		findings->items[i].fact = fact;
}

void findings_of_shapes(struct finding_list *findings, const struct result_operator *op)
{
	bool by_data = op->dynamic.kind == DYNAMIC_DATA_DEPENDENT;
	struct recipe_case what = { .name = op->name, .by_shapes = by_data };
	struct str follows = op->dynamic.follows;
	struct result_finding *finding;

	if (!dynamic_is_changing(op->dynamic.kind))
		return;
	finding = add_on_any_target(findings, op,
		by_data       ? "shape-data-dependent"
		: follows.len ? "shape-follows"
			      : "shape-varying");
	if (findings->db)
		recipes_advise(findings->arena, findings->db, &what, &finding->advice, &finding->advice_count);
	if (!by_data && follows.len)
		message_add(&finding->what, "source", follows);
	if (!by_data) {
		message_add(&finding->what, "kind", word_for(&dynamic_words, op->dynamic.kind));
		message_add_number(&finding->what, findings->arena, "shapes", (int64_t)op->dynamic.distinct);
	}
}

void findings_of_implied(struct finding_list *findings, const struct result_implied *implied)
{
	const struct result_operator unseen = { .name = implied->name };

	for (size_t i = 0; i < implied->verdict_count; i++) {
		const struct result_verdict *verdict = &implied->verdicts[i];
		struct result_finding *finding;

		if (!status_rules[verdict->status]) /* a program would not notice */
			continue;
		finding = add_on_target(findings, &unseen, verdict, "op-implied");
		message_add(&finding->what, "status", op_status_name(verdict->status));
	}
}

/* --- data types */

enum { NAMES_SHOWN = 5 };

/* Each kind is about the types of the data that calls show; with a list, of the operators on it alone. */
static const struct hot_spot {
	const char *rule;
	unsigned types;
	enum name_list names; /* NAME_LISTS: any */
} hot_spots[] = {
	{ "dtype-fp64", DTYPE_FP64, NAME_LISTS },
	{ "dtype-complex", DTYPE_COMPLEX32 | DTYPE_COMPLEX64 | DTYPE_COMPLEX128, NAME_LISTS },
	{ "dtype-bf16", DTYPE_BF16, NAME_LISTS },
	{ "dtype-fp8", DTYPE_FP8, NAME_LISTS },
	{ "dtype-int64-keys", DTYPE_INT64, NAMES_SLOW_INT64 },
	{ "dtype-bool", DTYPE_BOOL, NAMES_SLOW_BOOL },
};

/* shown: of each of the result's operators, those that its calls have. */
static void find_hot_spot(
	struct finding_list *findings, const struct hot_spot *spot, const struct result *result, const unsigned *shown)
{
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	const struct result_operator *first = NULL;
	struct str *operators = arena_alloc(findings->arena, (result->operator_count + 1) * sizeof(operators[0]));
	struct result_finding *finding;
	unsigned types = 0;
	int64_t share_ppm = 0;
	size_t count = 0;

	for (size_t i = 0; i < result->operator_count; i++) {
		struct str name = result->operators[i].name;
		size_t colons = str_find(name, STR("::"));
		struct str base = colons == STR_NONE ? name : str_skip(name, colons + 2);
		unsigned here = shown[i] & spot->types;

		if (!here || (spot->names != NAME_LISTS && !name_is_listed(spot->names, base)))
			continue;
		first = first ? first : &result->operators[i];
		types |= here;
		if (count < NAMES_SHOWN)
			buf_printf(&names, "%s%.*s", names.len ? ", " : "", STR_ARG(name));
		operators[count++] = name;
		share_ppm += result->operators[i].share_ppm;
	}
	if (!first)
		return;
	finding = finding_of_several(findings, first, spot->rule);
	finding->operators = operators;
	finding->operator_count = count;
	finding->share_ppm = share_ppm < WHOLE_PPM ? share_ppm : WHOLE_PPM;
	message_add_number(&finding->what, findings->arena, "count", (int64_t)count);
	message_add(&finding->what, "dtypes", dtypes_text(findings->arena, types, ", "));
	message_add_copy(&finding->what, findings->arena, "operators", buf_str(&names));
	if (findings->db)
		recipes_advise(findings->arena, findings->db,
			&(struct recipe_case){ .name = first->name, .types = types }, &finding->advice,
			&finding->advice_count);
}

void findings_of_types(struct finding_list *findings, const struct result *result, const struct call_facts *call_facts,
	const size_t *order)
{
	unsigned *shown = mem_zalloc((result->operator_count + 1) * sizeof(shown[0]));

	for (size_t i = 0; i < result->operator_count; i++)
		shown[i] = call_facts->types[order[i]].sized;
	for (size_t i = 0; i < ARRAY_SIZE(hot_spots); i++)
		find_hot_spot(findings, &hot_spots[i], result, shown);
	free(shown);
}

/* --- order */

static int by_weight(const void *a, const void *b)
{
	const struct result_finding *left = a, *right = b;

	return ORDER(left->severity, right->severity) ?:
	       ORDER(right->share_ppm, left->share_ppm) ?:
	       str_cmp(left->operator_name, right->operator_name) ?:
	       str_cmp(left->target, right->target) ?:
	       strcmp(left->what.id, right->what.id) ?:
	       str_cmp(left->fingerprint, right->fingerprint);
}

void findings_sort(struct finding_list *findings)
{
	MEM_SORT(findings, by_weight);
}
