#include "assess/finding/headline.h"

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/shell.h"

/* --- texts */

struct str headline_name(struct str name)
{
	struct str aten = STR("aten::");

	return str_starts(name, aten) ? str_skip(name, aten.len) : name;
}

static struct str share_text(struct arena *arena, struct result_interval share)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	percent_put(&text, share.lo_ppm, share.hi_ppm);
	return arena_keep(arena, buf_str(&text));
}

/* "a, b, c, +2" */
static struct str names_text(struct arena *arena, const struct cause_tally *cause)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (int64_t i = 0; i < cause->operators && i < CAUSE_NAMES; i++)
		buf_printf(&text, "%s%.*s", i ? ", " : "", STR_ARG(headline_name(cause->names[i])));
	if (cause->operators > CAUSE_NAMES)
		buf_printf(&text, ", +%lld", (long long)(cause->operators - CAUSE_NAMES));
	return arena_keep(arena, buf_str(&text));
}

static struct str packages_text(struct arena *arena, const struct cause_tally *cause)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < cause->package_count; i++)
		buf_printf(&text, "%s%.*s", i ? ", " : "", STR_ARG(cause->packages[i]));
	return arena_keep(arena, buf_str(&text));
}

/* The command about an operator, which may be called with types: "aten::sum (complex64)". */
static struct message see_operator(struct arena *arena, struct str called)
{
	CLEANUP(buf_clear) struct buf word = BUF_UNLIMITED;
	struct str name = headline_name(called);
	size_t types = str_find(name, STR(" ("));

	shell_put_word(&word, types == STR_NONE ? name : str_sub(name, 0, types));
	return *MESSAGE(arena, "headline-see", COPY("operator", buf_str(&word)));
}

/* --- the word */

static enum headline_word word_of(enum verdict verdict, bool package_alone, bool slow)
{
	if (verdict == VERDICT_BLOCKED)
		return package_alone ? HEADLINE_PACKAGE : HEADLINE_STOPS;
	return verdict == VERDICT_INCONCLUSIVE ? HEADLINE_UNKNOWN : slow ? HEADLINE_SLOWLY : HEADLINE_RUNS;
}

/* Returns whether known packages bring all operators that do not run. */
static bool packages_help(const struct operators *operators, const struct judgement *judgements)
{
	bool known = false;

	for (size_t i = 0; i < operators->count; i++) {
		if (op_status_class(judgements[i].best) != CLASS_BLOCKED)
			continue;
		if (judgements[i].verdict.status != OP_NEEDS_PACKAGE)
			return false;
		known |= judgements[i].package.len > 0;
	}
	return known;
}

enum headline_word headline_word_of(
	enum verdict verdict, const struct weights *weights, const struct judgement *judgements)
{
	return word_of(verdict, packages_help(weights->operators, judgements), readiness_is_slow(weights, judgements));
}

/* --- what to do first */

static const char *action_id(const struct result_fix *fix)
{
	static const char *const ids[] = {
		[FIX_RELEASE] = "headline-move", [FIX_PACKAGE] = "headline-install", [FIX_SETTLE] = "headline-test"
	};

	if (fix->kind < ARRAY_SIZE(ids))
		return ids[fix->kind];
	return fix->effort == EFFORT_RECIPE  ? "headline-recipe"
	       : fix->effort == EFFORT_AVOID ? "headline-avoid"
					     : "headline-replace";
}

struct message headline_fix(struct arena *arena, const struct result_fix *fix, enum headline_word word)
{
	bool runs = word == HEADLINE_RUNS || word == HEADLINE_SLOWLY;

	return *MESSAGE(arena, action_id(fix), COPY("what", headline_name(fix->what)),
		BLANK("share", share_text(arena, runs ? fix->readiness : fix->coverage)),
		BLANK(fix->dtypes.len ? "dtypes" : NULL, fix->dtypes));
}

enum headline_word headline_word_kind(enum verdict verdict)
{
	return word_of(verdict, false, false);
}

bool headline_is_run(enum verdict verdict)
{
	return verdict == VERDICT_READY || verdict == VERDICT_WARNINGS;
}

/* --- the cause */

static const struct why {
	struct str cause;
	const char *stops, *unknown, *runs, *action; /* texts by word; an action where no fix comes first */
	bool slow, open; /* the cause makes a target slow; an answer of the user comes before any fix */
} whys[] = {
	{ STR("kernel"), "headline-no-kernel", NULL },
	{ STR("dtype"), "headline-no-type", "headline-may-refuse-type", "headline-limited" },
	{ STR("sparse"), "headline-no-sparse", "headline-may-be-sparse", "headline-limited" },
	{ STR("package"), "headline-package", NULL }, { STR("unknown"), NULL, "headline-unknown" },
	{ STR("dtype-open"), NULL, "headline-types-open", NULL, "headline-state-types", .open = true },
	{ STR("argument"), NULL, "headline-may-refuse", "headline-limited" },
	{ STR("chip"), NULL, "headline-chip", "headline-limited", "headline-name-chip", .open = true },
	{ STR("overload"), NULL, "headline-overload", "headline-limited" },
	{ STR("reported"), NULL, "headline-may-fail", "headline-reported" },
	{ STR("overlay"), NULL, "headline-overlay", "headline-overlay" },
	{ STR("name-cut"), NULL, "headline-name-cut", "headline-name-cut", "headline-print-names", .open = true },
	{ STR("by-name"), NULL, "headline-by-name", "headline-limited" },
	{ STR("calls"), NULL, "headline-calls", "headline-limited" },
	{ STR("fallback"), NULL, NULL, "headline-fallback", .slow = true },
	{ STR("compile"), NULL, NULL, "headline-compile", "headline-fixed-shapes" },
	{ STR("aicpu"), NULL, NULL, "headline-aicpu", .slow = true },
	{ STR("host-path"), NULL, NULL, "headline-host-path", .slow = true },
	{ STR(""), NULL, "headline-may-fail", "headline-limited" }, /* any other */
};

static const struct why *why_of(struct str cause)
{
	const struct why *why = whys;

	while (why->cause.len && !str_eq(why->cause, cause))
		why++;
	return why;
}

static const char *why_id(const struct why *why, enum headline_word word)
{
	if (word == HEADLINE_STOPS || word == HEADLINE_PACKAGE)
		return why->stops;
	return word == HEADLINE_UNKNOWN ? why->unknown : why->runs;
}

/* The largest cause that the word is about. */
static const struct cause_tally *cause_for(const struct tally *tally, enum headline_word word)
{
	struct tally fitting = { .count = 0 };

	for (size_t i = 0; i < tally->count; i++) {
		const struct cause_tally *cause = &tally->causes[i];
		const struct why *why = why_of(cause->cause);
		bool fits = why_id(why, word) && (word != HEADLINE_SLOWLY || why->slow) &&
			    (word == HEADLINE_PACKAGE) == str_eq(cause->cause, STR("package"));

		if (fits)
			fitting.causes[fitting.count++] = *cause;
	}
	if (!fitting.count)
		return tally_largest(tally);
	for (size_t i = 0; i < tally->count; i++) {
		if (str_eq(tally->causes[i].cause, tally_largest(&fitting)->cause))
			return &tally->causes[i];
	}
	return tally_largest(tally);
}

/* Returns "segment_reduce" if the cause is that operator and its gradient, else "". */
static struct str with_backward(const struct cause_tally *cause)
{
	struct str tail = STR("_backward");

	for (size_t i = 0; i < 2 && cause->operators == 2; i++) {
		struct str forward = headline_name(cause->names[i]), backward = headline_name(cause->names[1 - i]);

		if (str_starts(backward, STR("_")) && !str_starts(forward, STR("_")))
			backward = str_skip(backward, 1);
		if (str_ends(backward, tail) && str_eq(str_chop(backward, tail.len), forward))
			return forward;
	}
	return STR("");
}

static void put_cause(const struct reason_request *request, const struct tally *tally, struct result *result)
{
	struct result_target *target = &result->targets[request->target];
	struct result_headline *headline = &target->headline;
	const struct cause_tally *cause = cause_for(tally, headline->word);
	const struct why *why = why_of(cause->cause);
	const char *id = why_id(why, headline->word);
	struct str forward = headline->word == HEADLINE_STOPS ? with_backward(cause) : STR("");
	struct arena *arena = &result->arena;
	int64_t share = share_ppm(cause->weight, request->weights->whole);

	if (forward.len && str_eq(cause->cause, STR("kernel")))
		headline->why = *MESSAGE(arena, "headline-no-kernel-backward", COPY("operator", forward));
	else
		headline->why = *MESSAGE(arena, id ? id : "headline-may-fail",
			BLANK("operators", names_text(arena, cause)),
			BLANK("share", share_text(arena, (struct result_interval){ share, share })),
			BLANK(cause->package_count ? "package" : NULL, packages_text(arena, cause)));
	if (target->fix_count && !(why->open && headline->word == HEADLINE_UNKNOWN))
		headline->first = headline_fix(arena, target->fixes, headline->word);
	else
		headline->first = why->action ? message_of(why->action) : see_operator(arena, cause->names[0]);
}

/* --- without a cause among the operators */

/* Weaknesses of a dump that hide operators, and what captures them. */
static const struct {
	const char *rule, *action;
} hiding[] = {
	{ "capture-truncated", "headline-print-rows" },
	{ "capture-top-level", "headline-print-nested" },
	{ "capture-compiled", "headline-no-compile" },
	{ "capture-device-uncovered", "headline-capture-rest" },
	{ "capture-rows-uncovered", "headline-print-rows" },
};

static bool has_warning(const struct result *result, const char *rule)
{
	for (size_t i = 0; i < result->input_count; i++) {
		for (size_t j = 0; j < result->inputs[i].capture.warning_count; j++) {
			if (strcmp(result->inputs[i].capture.warnings[j].id, rule) == 0)
				return true;
		}
	}
	return false;
}

static void put_hidden(struct result *result, struct result_headline *headline)
{
	struct result_interval shown = { result->shown_ppm, result->shown_ppm };
	size_t at = 0;

	while (at < ARRAY_SIZE(hiding) && !has_warning(result, hiding[at].rule))
		at++;
	headline->first = message_of(at < ARRAY_SIZE(hiding) ? hiding[at].action : "headline-whole-file");
	if (result->shown_ppm < WHOLE_PPM)
		headline->why = *MESSAGE(
			&result->arena, "headline-shown", BLANK("share", share_text(&result->arena, shown)));
	else
		headline->why = message_of("headline-hidden");
}

/* The operator that the target adds and does not run. */
static void put_implied(struct result *result, const struct result_target *target, struct result_headline *headline)
{
	for (size_t i = 0; i < result->implied_count; i++) {
		const struct result_implied *implied = &result->implied[i];

		for (size_t j = 0; j < implied->verdict_count; j++) {
			if (!str_eq(implied->verdicts[j].target, target->id) ||
				op_status_class(implied->verdicts[j].status) != CLASS_BLOCKED)
				continue;
			headline->why = *MESSAGE(
				&result->arena, "headline-implied", BLANK("operator", headline_name(implied->name)));
			headline->first = see_operator(&result->arena, implied->name);
			return;
		}
	}
}

static void put_no_cause(const struct reason_request *request, struct result *result)
{
	struct result_target *target = &result->targets[request->target];
	struct result_headline *headline = &target->headline;
	int64_t count = (int64_t)request->weights->operators->count - request->weights->host_operators;

	if (headline->word == HEADLINE_UNKNOWN && request->implied) {
		put_implied(result, target, headline);
	} else if (headline->word == HEADLINE_UNKNOWN) {
		put_hidden(result, headline);
	} else {
		headline->why = *MESSAGE(&result->arena, "headline-all-run", NUMBER("count", count));
		headline->first = target->fix_count ? headline_fix(&result->arena, target->fixes, headline->word)
						    : message_of("headline-no-change");
	}
}

void headline_put(const struct reason_request *request, struct result *result)
{
	struct result_target *target = &result->targets[request->target];
	bool seen = strcmp(target->reason.id, "reason-seen-aicpu") == 0;
	struct tally tally;

	tally_causes(request, result, &tally);
	target->headline = (struct result_headline){ .word = seen ? HEADLINE_SLOWLY
								  : headline_word_of(target->verdict, request->weights,
									    request->judgements) };
	if (tally.count)
		put_cause(request, &tally, result);
	else
		put_no_cause(request, result);
	if (seen) {
		target->headline.why = target->reason;
		target->headline.first = message_of("headline-aicpu-tasks");
	}
}

/* --- earlier versions */

void headline_complete(struct result_target *target)
{
	bool package = false, kernel = false;

	if (target->headline.why.id)
		return;
	for (size_t i = 0; i < target->count_count; i++) {
		package |= target->counts[i].status == OP_NEEDS_PACKAGE;
		kernel |= target->counts[i].status == OP_UNSUPPORTED;
	}
	target->headline.word = word_of(target->verdict, package && !kernel,
		target->where.aicpu.lo_ppm + target->where.host.lo_ppm >= USUAL_SLOW_PPM);
	target->headline.why = target->reason;
}
