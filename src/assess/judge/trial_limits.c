#include "assess/judge/trial_limits.h"

#include "assess/judge/trial_units.h"
#include "base/memory/mem.h"
#include "opdb/db/note.h"
#include "opdb/model/chip.h"

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
	const unsigned floats = DTYPE_FP32 | DTYPE_FP16 | DTYPE_BF16;
	bool runs = judgement_runs_on_device(trial->judgement->worst);
	/* a composite computes nothing itself: its calls are in the dump, and judged there; one that only renames,
	   allocates or copies takes every type, whatever a document on its Python function lists */
	bool computes = answer->status != OP_COMPOSITE && !answer->moves_memory;
	unsigned limits = computes ? answer->refused : answer->reported, shown, possible, certain, open = 0;

	if (!call_facts)
		return;
	shown = call_facts->types[trial->index].sure | call_facts->types[trial->index].maybe;
	trial_units(trial, answer);
	if ((limits & floats) == floats &&
		!(shown & floats)) /* it takes whole numbers alone, so that is what it was given */
		limits &= ~floats;
	certain = call_facts->types[trial->index].sure & limits & answer->barred;
	if (call_facts->types[trial->index].sure & ~limits)
		certain &= ~answer->units.refused; /* the kernels tell the types of the first tensor alone */
	possible = types_possible(trial->judge, trial->index) & limits & ~certain;
	if (types_are_open(trial->judge, trial->index) && judgement_runs(trial->judgement->verdict.status))
		open = possible & floats & ~(shown | DTYPE_FP32);
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
	judge_reported(trial, answer);
	judge_types(trial, answer);
	judge_chip(trial, answer);
	judge_site(trial, answer);
}
