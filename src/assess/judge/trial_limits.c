#include "assess/judge/trial_limits.h"

#include "assess/judge/call_test.h"
#include "assess/judge/trial_units.h"
#include "base/memory/mem.h"
#include "opdb/db/note.h"
#include "opdb/model/argument_limit.h"

/* --- recorded calls */

/* Of one use of the operator. */
static enum holds test_use(const struct trial *trial, struct str test, const struct profile_use *use)
{
	CLEANUP(arena_clear) struct arena scratch = ARENA_INIT(ARENA_UNLIMITED);
	const struct call_facts *call_facts = trial->judge->call_facts;
	struct use_facts facts;
	struct shape sizes = { .sizes = NULL };
	struct tested_call call = {
		.base = trial->op->base, .call = &facts.call, .sizes = &sizes, .captured = call_facts->captured
	};

	if (!call_facts_of_use(&call_facts->choices[trial->index], use, &facts))
		facts = (struct use_facts){ .params = NULL };
	else if (!shape_parse(&scratch, use->shapes, &sizes))
		sizes = (struct shape){ .sizes = NULL };
	call.params = facts.params;
	return call_test(&call, test);
}

/* HOLDS_MAYBE where the dump does not tell. Only with a profile. */
static enum holds test_calls(const struct trial *trial, struct str test)
{
	enum holds most = HOLDS_NOT;
	size_t count;
	const struct profile_use *uses = profile_uses(trial->judge->profile, &count);

	for (size_t i = 0; i < trial->op->use_count && most < HOLDS; i++) {
		const struct profile_use *use = &uses[trial->op->uses[i]];
		enum holds one = use->calls ? test_use(trial, test, use) : HOLDS_NOT;

		most = one > most ? one : most;
	}
	return most;
}

/* --- crashes and wrong results */

/* Returns whether a report is about calls like those in the dump, on a chip that the target may mean. */
static enum holds is_about_calls(const struct trial *trial, const struct note *note)
{
	enum target_kind target = trial->target->release->target;

	/* a composite chose the operator, and chooses another one on the target: reports are about calls by name */
	if (trial->judge->profile && trial->judgement->verdict.status == OP_EQUIVALENT &&
		op_status_class(trial->judgement->worst) == CLASS_DEVICE)
		return HOLDS_NOT;
	if (note->chips && !trial->target->chip && chips_differ(target) && !(note->chips & chips_common(target)))
		return HOLDS_NOT;
	if (note->about && trial->judge->call_facts && !(note->about & types_possible(trial->judge, trial->index)))
		return HOLDS_NOT;
	if (!trial->judge->call_facts)
		return HOLDS;
	if (note->condition.len)
		return test_calls(trial, note->condition);
	return note->overload.len && !str_eq(note->overload, trial->overload) ? HOLDS_MAYBE : HOLDS;
}

static void judge_crashes(struct trial *trial, const struct answer *answer)
{
	struct judgement *judgement = trial->judgement;
	bool any = false;

	for (size_t i = 0; i < answer->note_count; i++) {
		const struct note *note = answer->notes[i].note, **place;
		enum holds holds;

		if (answer->notes[i].lost || (note->mild && !answer->notes[i].release_named))
			continue;
		if (note->kind != NOTE_FAILS && note->kind != NOTE_CRASHES && note->kind != NOTE_WRONG)
			continue;
		any = true;
		holds = is_about_calls(trial, note);
		place = holds < HOLDS || note->mild  ? &judgement->possible
			: note->kind == NOTE_CRASHES ? &judgement->crash
						     : &judgement->wrong;
		if (holds == HOLDS && !note->mild && note->kind == NOTE_FAILS)
			judgement->fails = true;
		else if (holds && !*place)
			*place = note;
	}
	if (any && !judgement->crash && !judgement->wrong && !judgement->fails)
		judgement->verdict.flags &= ~(unsigned)FLAG_REPORTED_BROKEN;
}

/* --- untested types */

/* A kernel that gives its tensors to a closed library is known by the plugin's own tests alone. The types that a dump
   without types is judged for widen nothing: to know that it is one of these must not make an answer less certain. */
static void judge_untested(struct trial *trial, const struct answer *answer)
{
	unsigned known, untested;
	struct message *condition;
	struct arena *arena = trial->judge->arena;

	if (!trial->judge->call_facts || !answer->tested || op_status_class(answer->status) != CLASS_DEVICE ||
		answer->status == OP_COMPOSITE || answer->moves_memory || answer->flags & FLAG_OVERLAY ||
		answer->site_limit_count)
		return;
	known = trial->judge->call_facts->types[trial->index].sure;
	untested = known & ~answer->tested & ~answer->confirmed & ~answer->refused;
	if (!untested)
		return;
	trial->judgement->verdict.flags |= FLAG_UNTESTED;
	condition = trial_condition(trial, "op-untested");
	message_add(condition, "dtypes", dtypes_text(arena, untested, ", "));
	message_add(condition, "tested", dtypes_text(arena, answer->tested, ", "));
	if (untested & ~(unsigned)DTYPE_USUAL)
		trial_widen(trial, OP_UNSUPPORTED);
}

/* --- refused arguments */

/* Returns whether some call of an operator meets a limit: the same on every release. */
struct limit_memo {
	struct limit_memo *next;
	const struct argument_limit *limit;
	bool met;
};

static bool is_met(const struct trial *trial, const struct argument_limit *limit)
{
	const struct call_facts *call_facts = trial->judge->call_facts;
	struct limit_memo *memo = call_facts->limits[trial->index];

	while (memo && memo->limit != limit)
		memo = memo->next;
	if (!memo) {
		memo = arena_alloc(call_facts->arena, sizeof(*memo));
		*memo = (struct limit_memo){ call_facts->limits[trial->index], limit,
			test_calls(trial, limit->test) == HOLDS };
		call_facts->limits[trial->index] = memo;
	}
	return memo->met;
}

/* A limit that the dump shows to be met is a condition; one that it does not tell of is left to `opcheck op`. */
static void judge_arguments(struct trial *trial, const struct answer *answer)
{
	CLEANUP(buf_clear) struct buf en = BUF_UNLIMITED, zh = BUF_UNLIMITED;
	struct arena *arena = trial->judge->arena;
	struct message *condition;

	if (!trial->judge->call_facts || !trial->judge->call_facts->types[trial->index].told)
		return;
	for (size_t i = 0; i < answer->argument_count; i++) {
		const struct argument_limit *limit = answer->arguments[i];

		if (!is_met(trial, limit) || str_has(buf_str(&en), limit->en)) /* overloads have the same */
			continue;
		buf_printf(&en, "%s%.*s", en.len ? "; " : "", STR_ARG(limit->en));
		buf_printf(&zh, "%s%.*s", zh.len ? "；" : "", STR_ARG(limit->zh));
	}
	if (!en.len)
		return;
	trial_widen(trial, OP_UNSUPPORTED);
	condition = trial_condition(trial, "op-argument");
	message_add_copy(condition, arena, "when_en", buf_str(&en));
	message_add_copy(condition, arena, "when_zh", buf_str(&zh));
}

/* --- reports */

/* A report on this very release: what is certain, and what is possible. */
static void judge_reported(struct trial *trial, const struct answer *answer)
{
	enum op_status other = answer->certain != answer->status ? answer->certain : answer->best;

	if (other == answer->status ||
		(op_status_class(other) == CLASS_BLOCKED && !trial->judgement->fails && trial->judgement->possible))
		return;
	trial_widen(trial, other);
	if (op_status_class(other) != op_status_class(answer->status))
		message_add(trial_condition(trial, "op-reported"), "status", op_status_name(other));
}

/* --- types */

static struct str types_text(const struct trial *trial, unsigned types)
{
	return dtypes_text(trial->judge->arena, types, ", ");
}

/* The types that a recipe has to cover. */
static void note_types(struct trial *trial, const struct answer *answer, unsigned refused)
{
	struct judgement *judgement = trial->judgement;

	judgement->limited_types = refused;
	if (judgement->verdict.flags & FLAG_AICPU)
		judgement->limited_types |= (answer->slow | answer->maybe_slow) &
					    types_possible(trial->judge, trial->index);
	if (!judgement->limited_types && judgement->verdict.flags & FLAG_REPORTED_BROKEN)
		judgement->limited_types = DTYPE_ALL;
}

/* A limit counts as the worse status where the dump shows a type that is refused beyond doubt; it is a condition if
   only reports state it, or if the dump lacks the types of some call. Types that are shown and taken do not count. */
static void judge_types(struct trial *trial, const struct answer *answer)
{
	const struct call_facts *call_facts = trial->judge->call_facts;
	bool runs = judgement_runs_on_device(trial->judgement->worst);
	/* a composite computes nothing itself: its calls are in the dump, and judged there; one that only renames,
	   allocates or copies takes every type, whatever a document on its Python function lists */
	bool computes = answer->status != OP_COMPOSITE && !answer->moves_memory;
	unsigned limits = computes ? answer->refused : answer->reported, shown, possible, certain, open = 0;

	if (!call_facts)
		return;
	shown = call_facts->types[trial->index].sure | call_facts->types[trial->index].maybe;
	trial_units(trial, answer);
	if ((limits & DTYPE_USUAL) == DTYPE_USUAL &&
		!(shown & DTYPE_USUAL)) /* it takes whole numbers alone, so that is what it was given */
		limits &= ~(unsigned)DTYPE_USUAL;
	certain = call_facts->types[trial->index].sure & limits & answer->barred;
	if (call_facts->types[trial->index].sure & ~limits)
		certain &= ~answer->units.refused; /* the kernels tell the types of the first tensor alone */
	possible = types_possible(trial->judge, trial->index) & limits & ~certain;
	if (types_are_open(trial->judge, trial->index) && judgement_runs(trial->judgement->verdict.status))
		open = possible & DTYPE_USUAL & ~(shown | DTYPE_FP32);
	possible &= ~open;
	if (!certain && !possible && !open)
		trial->judgement->verdict.flags &= ~(unsigned)FLAG_DTYPE_LIMITED;
	else
		trial->judgement->verdict.flags |= FLAG_DTYPE_LIMITED;
	if (certain) {
		trial_become(trial, OP_UNSUPPORTED);
		trial_via(trial, "refuses %.*s", STR_ARG(types_text(trial, certain)));
	}
	note_types(trial, answer, certain | possible | open);
	shown |= trial->judge->stated_types;
	if (possible & shown)
		message_add(trial_condition(trial, "op-dtype"), "dtypes", types_text(trial, possible & shown));
	if (possible & ~shown)
		message_add(trial_condition(trial, "op-dtype-if"), "dtypes", types_text(trial, possible & ~shown));
	if (open)
		message_add(trial_condition(trial, "op-dtype-open"), "dtypes", types_text(trial, open));
	if (possible)
		trial_widen(trial, OP_UNSUPPORTED);
	trial->judgement->open_types = open;
	trial->judgement->types_alone = runs && !judgement_runs_on_device(trial->judgement->worst);
	if (trial->judgement->types_alone && !trial->judge->brief)
		trial->judgement->verdict.dtypes = types_text(trial, certain ? certain : possible);
}

/* --- chips */

/* Returns whether a note of this kind holds for the target's chip, or for one that it may mean. */
static bool limits_chip(const struct trial *trial, const struct answer *answer, enum note_kind kind)
{
	unsigned common = chips_common(trial->target->release->target);

	for (size_t i = 0; i < answer->note_count; i++) {
		const struct note *note = answer->notes[i].note;

		if (!answer->notes[i].lost && note->kind == kind && !note->mild &&
			(trial->target->chip || note->chips & common))
			return true;
	}
	return false;
}

static void judge_chip(struct trial *trial, const struct answer *answer)
{
	if (!(answer->flags & FLAG_SOC_LIMITED))
		return;
	trial->judgement->slow_path = limits_chip(trial, answer, NOTE_SLOW);
	if (!limits_chip(trial, answer, NOTE_CHIP))
		return;
	trial_condition(trial, "op-chip");
	trial_widen(trial, OP_UNSUPPORTED);
}

/* --- what the site itself says */

/* An overlay's fact on some types, or on a chip that the target leaves open, may apply unless the dump shows other
   types. */
static void judge_site(struct trial *trial, const struct answer *answer)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	const struct call_facts *call_facts = answer->site_limit_count ? trial->judge->call_facts : NULL;
	const struct shown_types *types = call_facts ? &call_facts->types[trial->index] : NULL;
	unsigned shown = types && !types->untold ? types->sure | types->maybe : 0;

	trial->judgement->verdict.flags |= answer->site_flags;
	for (size_t i = 0; i < answer->site_limit_count; i++) {
		const struct site_limit *limit = &answer->site_limits[i];

		if (limit->dtypes && shown && !(limit->dtypes & shown))
			continue;
		buf_printf(&text, "%s%.*s", text.len ? "; " : "", STR_ARG(limit->text));
		trial->judgement->verdict.flags |= limit->flags;
		if (limit->has_status)
			trial_widen(trial, limit->status);
	}
	if (text.len)
		message_add_copy(
			trial_condition(trial, "op-overlay-limit"), trial->judge->arena, "limits", buf_str(&text));
}

void trial_limits(struct trial *trial, const struct answer *answer)
{
	judge_crashes(trial, answer);
	judge_untested(trial, answer);
	judge_reported(trial, answer);
	judge_types(trial, answer);
	judge_chip(trial, answer);
	judge_site(trial, answer);
	judge_arguments(trial, answer);
}
