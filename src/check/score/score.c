#include "check/score/score.h"

#include <stdlib.h>

#include "assess/judge/judgement.h"
#include "base/value/utf8.h"
#include "check/score/score_limit.h"
#include "opdb/db/lists.h"
#include "opdb/db/note.h"
#include "opdb/model/dtype.h"
#include "opdb/resolve/calls.h"

/* Types that the answer says run on the AI CPU, known or under a condition; that it says are refused. */
static unsigned said_aicpu(const struct answer *answer)
{
	return answer->slow | answer->maybe_slow | answer->strided;
}

static unsigned said_refused(const struct answer *answer)
{
	return judgement_runs_on_device(answer->status) ? answer->refused : DTYPE_ALL;
}

/* The types that a row is about: its own, else those of its detail that were seen to fail or to be slow. */
static unsigned types_of(const struct observation *row)
{
	return row->types ? row->types : dtypes_named(row->detail).refused;
}

static bool aicpu_agrees(const struct observation *row, const struct answer *answer)
{
	unsigned types = types_of(row), said = said_aicpu(answer), refused = said_refused(answer);

	if (row->types)
		return said & types;
	if (refused & DTYPE_FP32 && !(types & DTYPE_FP32))
		return false;
	if (said & (types | DTYPE_INT64))
		return true;
	return refused & DTYPE_INT64 && said & DTYPE_FP32;
}

static bool dtypes_agree(const struct observation *row, const struct answer *answer)
{
	unsigned types = types_of(row), refused = said_refused(answer);

	if (limit_is_told(row, answer))
		return true;
	if (row->types)
		return refused & types;
	if (!types && !(refused & DTYPE_INT64))
		return answer->layouts ||
		       answer->flags & (FLAG_DTYPE_LIMITED | FLAG_SOC_LIMITED | FLAG_REPORTED_BROKEN);
	return refused & (types ? types : DTYPE_INT64) && (types & DTYPE_FP32 || !(refused & DTYPE_FP32));
}

static bool answer_has_note(const struct answer *answer, enum note_kind kind)
{
	return ANY(i, answer->note_count, answer->notes[i].note->kind == kind && !answer->notes[i].lost);
}

/* A chip or a type may be all that an operator fails for. */
static bool answer_fails(const struct observation *row, const struct answer *answer)
{
	bool blocked = answer->status == OP_UNSUPPORTED || answer->status == OP_NEEDS_PACKAGE ||
		       answer->certain == OP_UNSUPPORTED || answer->leaf == OP_UNSUPPORTED;

	return blocked || answer_has_note(answer, NOTE_FAILS) || limit_is_told(row, answer) ||
	       (row->types && !(row->types & ~answer->refused)) || (row->chips && answer->flags & FLAG_SOC_LIMITED) ||
	       (answer->refused & DTYPE_USUAL) == DTYPE_USUAL;
}

/* Where a boxed fallback takes what has no kernel, one that has no CPU kernel either is seen to fall back and to
   raise. */
static bool falls_back(const struct target *target, const struct answer *answer)
{
	bool raises = answer->status == OP_UNSUPPORTED || answer->status == OP_NEEDS_PACKAGE;

	return answer->status == OP_CPU_FALLBACK || (raises && target->release->boxed) ||
	       answer_has_note(answer, NOTE_CPU) || answer->leaf == OP_CPU_FALLBACK || answer->flags & FLAG_HOST_PATH;
}

/* Whoever saw what a package brings had the package. */
static bool runs(const struct answer *answer)
{
	return judgement_runs_on_device(answer->status) || judgement_runs_on_device(answer->best) ||
	       (answer->status == OP_NEEDS_PACKAGE && !(answer->flags & FLAG_INFERRED));
}

/*
 * One row against one answer, by type. A row without a type agrees if the answer for int64, or for the type in its
 * detail, says so and the one for fp32 is right too; where int64 is no type that the operator takes, if the answer for
 * fp32 says so. The other: whether the answer says for certain that what a native row reports does not run so.
 */
static bool key_agrees(const struct observation *row, const struct target *target, const struct answer *answer)
{
	switch (row->observed) {
	case OBSERVED_NATIVE:
		return runs(answer);
	case OBSERVED_CPU_FALLBACK:
		return falls_back(target, answer);
	case OBSERVED_NOT_IMPLEMENTED:
		return answer_fails(row, answer);
	case OBSERVED_AICPU:
		return aicpu_agrees(row, answer);
	case OBSERVED_DTYPE_LIMITED:
		return dtypes_agree(row, answer);
	default:
		return answer_has_note(answer, NOTE_FAILS) || answer_has_note(answer, NOTE_WRONG) ||
		       answer_has_note(answer, NOTE_SHAPES) || limit_is_told(row, answer);
	}
}

/* Of a row without a type every type that models compute in has to raise it: one of them was seen to run. */
static bool key_alarms(const struct observation *row, const struct answer *answer)
{
	unsigned types = types_of(row) ? types_of(row) : DTYPE_USUAL | DTYPE_INT64;

	if (row->observed != OBSERVED_NATIVE)
		return false;
	if (!runs(answer))
		return answer->status != OP_UNKNOWN;
	return judgement_runs_on_device(answer->status) && !(types & ~(answer->slow | answer->refused));
}

static const char *const grade_names[GRADE_COUNT] = {
	[GRADE_AGREES] = "agrees",
	[GRADE_WARNED] = "warned",
	[GRADE_FALSE_GREEN] = "false green",
	[GRADE_FALSE_RED] = "false red",
	[GRADE_UNKNOWN] = "unknown",
};

/* The question for every release that a row may be about. */
struct trial {
	struct resolver *resolver;
	const struct observation *observation;
	unsigned refused; /* enum dtype that the detail names */
	struct err *err;
	struct scored *scored;
	bool any, agrees, warned, device; /* of the answers so far */
};

static bool predicts_failure(const struct observation *row, const struct answer *answer)
{
	return answer->status == OP_UNSUPPORTED || answer->status == OP_NEEDS_PACKAGE ||
	       answer->certain == OP_UNSUPPORTED || answer->leaf == OP_UNSUPPORTED ||
	       answer_has_note(answer, NOTE_FAILS) || limit_is_told(row, answer);
}

/* Types beyond those that models compute in which the vendor's own tests leave out of a closed library: a check says
   that they may not run (op-untested). */
static unsigned untested_types(const struct answer *answer)
{
	return answer->tested ? DTYPE_ALL & ~(answer->tested | answer->accepted | DTYPE_USUAL) : 0;
}

/* A type that the row names is known to be refused, or is one that a check warns of. */
static bool predicts_types(const struct trial *trial, const struct answer *answer)
{
	return trial->refused &
	       (answer->refused | answer->slow | untested_types(answer) | limit_types_told(trial->observation, answer));
}

/* The operator is limited, and nothing says that the types which the row names are taken. */
static bool predicts_limit(const struct trial *trial, const struct answer *answer)
{
	if (str_starts(trial->observation->detail, STR("layout:")))
		return answer->layouts || answer_has_note(answer, NOTE_LAYOUT);
	if (answer->flags & FLAG_REPORTED_BROKEN || limit_is_told(trial->observation, answer))
		return true;
	if (trial->refused && !(trial->refused & ~answer->accepted))
		return false;
	return predicts_types(trial, answer) || answer->flags & (FLAG_DTYPE_LIMITED | FLAG_SOC_LIMITED);
}

static bool predicts_compiling(const struct trial *trial, const struct answer *answer)
{
	const struct observation *observation = trial->observation;
	unsigned tags = 0;

	if (str_starts(observation->detail, STR("aicpu:")))
		return answer->flags & FLAG_AICPU;
	if (answer->status == OP_NATIVE_JIT || answer->flags & (FLAG_JIT_COMPILE | FLAG_AICPU) ||
		answer_has_note(answer, NOTE_SHAPES))
		return true;
	return !resolve_dynamic_tags(trial->resolver, observation->ns, observation->base, &tags, trial->err) && tags;
}

/* Crashes and wrong results are known from reports alone; operators that do not run have neither. */
static bool predicts(const struct trial *trial, const struct target *target, const struct answer *answer)
{
	const struct observation *row = trial->observation;

	switch (row->observed) {
	case OBSERVED_NOT_IMPLEMENTED:
		return predicts_failure(row, answer);
	case OBSERVED_DTYPE_LIMITED:
		return predicts_limit(trial, answer);
	case OBSERVED_DYNAMIC_SHAPE:
		return predicts_compiling(trial, answer);
	case OBSERVED_CRASH:
	case OBSERVED_WRONG_RESULT:
		return key_agrees(row, target, answer) || !judgement_runs_on_device(answer->status);
	default:
		return key_agrees(row, target, answer);
	}
}

/* Plain support warns of nothing, or of types alone where those that the row names are said to work. */
static bool warns(const struct trial *trial, const struct answer *answer)
{
	unsigned flags = answer->flags & ~(unsigned)(FLAG_INFERRED | FLAG_IMPLIED | FLAG_OVERLAY);

	if (trial->refused && !(trial->refused & ~answer->accepted))
		flags &= ~(unsigned)FLAG_DTYPE_LIMITED;
	return flags || !judgement_runs_on_device(answer->leaf) || answer->status == OP_NATIVE_JIT ||
	       answer->certain != answer->status || answer_has_note(answer, NOTE_LAYOUT) ||
	       answer_has_note(answer, NOTE_CHIP) || answer_has_note(answer, NOTE_FAILS) ||
	       answer_has_note(answer, NOTE_CPU) || answer_has_note(answer, NOTE_SHAPES) ||
	       answer_has_note(answer, NOTE_CRASHES);
}

/* Releases are asked from the oldest to the newest: the last one that speaks for the grade is kept. */
static void take_answer(struct trial *trial, const struct target *target, const struct answer *answer)
{
	bool agrees = predicts(trial, target, answer);
	bool device = judgement_runs_on_device(answer->status);

	if (!trial->any || agrees || !trial->agrees) {
		trial->scored->release = target->release->id;
		trial->scored->status = answer->status;
		trial->scored->flags = answer->flags;
	}
	trial->any = true;
	trial->scored->key_agrees |= key_agrees(trial->observation, target, answer);
	trial->scored->quiet |= !key_alarms(trial->observation, answer);
	trial->agrees |= agrees;
	trial->scored->types |= predicts_types(trial, answer);
	trial->device |= device || answer->status == OP_UNKNOWN;
	trial->warned |= !device || warns(trial, answer);
}

/* A name in a report is called by name; one in a profile may have been chosen by a composite. */
static int ask_release(struct trial *trial, const struct release *release, const struct chip *chip)
{
	const struct observation *row = trial->observation;
	enum reading reading = row->observed == OBSERVED_NATIVE ? READING_REACHED : READING_EXPLICIT;
	struct op_query query = { row->ns, row->base, row->overload, reading };
	struct target target = target_of(release);
	struct answer answer;
	int status;

	target.chip = chip;
	status = resolve_base(trial->resolver, &target, &query, &answer, trial->err)
			 ?: resolve_leaves(trial->resolver, &target, &query, &answer, trial->err);
	if (!status)
		take_answer(trial, &target, &answer);
	return status;
}

/* Without versions: what was stable and, where anything was, out when the row was written. Before PyTorch 2.1 the
   plugin's own operators were in aten: who writes npu:: has a newer one. */
static bool may_be_meant(const struct release *release, struct str ns, struct str date)
{
	return release->kind == RELEASE_FINAL && (!date.len || str_cmp(release->date, date) <= 0) &&
	       !(release->xla && str_eq(ns, STR("npu")));
}

static int ask_all(const struct opdb *db, struct trial *trial)
{
	const struct observation *row = trial->observation;
	unsigned chips = row->chips ? row->chips : chips_named(row->versions.target, row->detail);
	bool named;
	struct release_set meant = releases_meant(db, &row->versions, &named);
	size_t count;
	const struct release *releases = opdb_target_releases(db, row->versions.target, &count);
	struct str date = row->versions.date;
	int status = 0;

	if (!ANY(i, count, may_be_meant(&releases[i], row->ns, date)))
		date = STR("");
	for (size_t i = 0; i < count && !status; i++) {
		if (!release_set_has(&meant, &releases[i]) || (!named && !may_be_meant(&releases[i], row->ns, date)))
			continue;
		if (!chips)
			status = ask_release(trial, &releases[i], NULL);
		for (unsigned c = 0; chips >> c && !status; c++) {
			if (chips >> c & 1)
				status = ask_release(trial, &releases[i], chip_at(row->versions.target, c));
		}
	}
	return status;
}

static enum grade grade_on(const struct trial *trial)
{
	enum observed observed = trial->observation->observed;
	bool runs = observed != OBSERVED_CPU_FALLBACK && observed != OBSERVED_NOT_IMPLEMENTED;

	if (!trial->any)
		return GRADE_UNKNOWN;
	if (trial->agrees)
		return GRADE_AGREES;
	if (runs && !trial->device)
		return GRADE_FALSE_RED;
	return trial->warned ? GRADE_WARNED : GRADE_FALSE_GREEN;
}

/* "https://github.com/a/b" of an address in it; else all that is said of the source. */
static struct str repository_of(struct str source)
{
	size_t slashes = 0;

	for (size_t i = 0; str_starts(source, STR("https://")) && i < source.len; i++) {
		slashes += source.ptr[i] == '/';
		if (slashes == 5)
			return str_sub(source, 0, i);
	}
	return source;
}

int score_run(const struct opdb *db, const struct observations *observations, enum reports reports, struct score *ret,
	struct err *err)
{
	struct resolver *resolver = resolver_new(db);
	int status = 0;

	*ret = (struct score){ 0 };
	if (reports == REPORTS_NONE)
		resolver_without_reported(resolver);
	for (size_t i = 0; i < observations->count && !status; i++) {
		const struct observation *row = &observations->items[i];
		struct scored scored = { .observation = row, .release = STR(""), .status = OP_UNKNOWN };
		struct trial trial = { .resolver = resolver,
			.observation = row,
			.err = err,
			.scored = &scored,
			.refused = row->types ? row->types : dtypes_named(row->detail).refused };

		if (reports == REPORTS_OF_OTHERS)
			resolver_without_repository(resolver, repository_of(row->source));
		status = ask_all(db, &trial);
		scored.grade = grade_on(&trial);
		scored.third_party = resolve_is_third_party(resolver, row->ns);
		if (row->observed == OBSERVED_DTYPE_LIMITED && trial.refused && !scored.third_party)
			ret->types[scored.types ? GRADE_AGREES : GRADE_WARNED]++;
		ret->tally[scored.third_party][row->observed][scored.grade]++;
		MEM_PUSH(ret, scored);
	}
	resolver_free(resolver);
	return status;
}

void score_clear(struct score *score)
{
	free(score->items);
	*score = (struct score){ 0 };
}

/* --- printing */

size_t score_rows(const size_t tally[GRADE_COUNT])
{
	return SUM(i, GRADE_COUNT, tally[i]);
}

/* The lines of the rows about aten, or of those about third-party namespaces. */
static void walk_part(const struct score *score, bool third_party, score_put_line *put, void *ctx)
{
	size_t sum[GRADE_COUNT] = { 0 }, plain[GRADE_COUNT] = { 0 };

	for (unsigned i = 0; i < OBSERVED_COUNT; i++) {
		for (unsigned g = 0; g < GRADE_COUNT; g++) {
			sum[g] += score->tally[third_party][i][g];
			plain[g] += i <= OBSERVED_NOT_IMPLEMENTED ? score->tally[third_party][i][g] : 0;
		}
		if (third_party)
			continue;
		put(ctx, word_for(&observed_words, i), score->tally[third_party][i]);
		if (i == OBSERVED_NOT_IMPLEMENTED)
			put(ctx, STR("  the statuses above"), plain);
		if (i == OBSERVED_DTYPE_LIMITED)
			put(ctx, STR("  the types it names"), score->types);
	}
	put(ctx, third_party ? STR("third-party namespaces") : STR("all"), sum);
}

void score_walk(const struct score *score, score_put_line *put, void *ctx)
{
	walk_part(score, false, put, ctx);
	walk_part(score, true, put, ctx);
}

static void put_score_line(void *ctx, struct str name, const size_t tally[GRADE_COUNT])
{
	enum { PER_MILLE = 1000 };
	size_t rows = score_rows(tally), share;

	if (!rows)
		return;
	share = (tally[GRADE_AGREES] * PER_MILLE + rows / 2) / rows;
	buf_printf(ctx, "%-24.*s %5zu %7zu %5zu.%zu %% %7zu %12zu %10zu %8zu\n", STR_ARG(name), rows,
		tally[GRADE_AGREES], share / 10, share % 10, tally[GRADE_WARNED], tally[GRADE_FALSE_GREEN],
		tally[GRADE_FALSE_RED], tally[GRADE_UNKNOWN]);
}

void score_put_table(const struct score *score, const char *title, struct buf *out)
{
	buf_printf(out, "%-24s %5s %7s %9s %7s %12s %10s %8s\n", title, "rows", "agree", "share", "warned",
		"false green", "false red", "unknown");
	score_walk(score, put_score_line, out);
}

static void put_operator(struct buf *out, const struct observation *row)
{
	utf8_printable(out, row->ns);
	buf_add(out, STR("::"));
	utf8_printable(out, row->base);
	buf_add(out, row->overload.len ? STR(".") : STR(""));
	utf8_printable(out, row->overload);
}

void score_put_disagreements(const struct score *score, const char *file, struct buf *out)
{
	for (size_t i = 0; i < score->count; i++) {
		const struct scored *scored = &score->items[i];
		const struct observation *row = scored->observation;

		if (scored->grade == GRADE_AGREES)
			continue;
		buf_printf(out, "%s:%zu: %s: ", file, row->line, grade_names[scored->grade]);
		put_operator(out, row);
		buf_printf(out, " observed %.*s, predicted %.*s", STR_ARG(word_for(&observed_words, row->observed)),
			STR_ARG(op_status_name(scored->status)));
		for (unsigned flag = 0; flag < OP_FLAG_COUNT; flag++) {
			if (scored->flags & 1u << flag)
				buf_printf(out, " %.*s", STR_ARG(op_flag_name(flag)));
		}
		buf_printf(out, " on %.*s%s%s\n", STR_ARG(scored->release), row->detail.len ? ": " : "",
			shown(row->detail).text);
	}
}
