#include "assess/judge/trial_reports.h"

#include "assess/judge/trial_calls.h"
#include "opdb/db/note.h"
#include "opdb/model/chip.h"

/* --- crashes and wrong results */

/* Returns whether a report is about calls like those in the dump, on a chip that the target may mean. */
static enum holds is_met(const struct trial *trial, const struct note *note)
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
		return trial_test_calls(trial, note->condition);
	return note->overload.len && !str_eq(note->overload, trial->overload) ? HOLDS_MAYBE : HOLDS;
}

static void judge_reports(struct trial *trial, const struct answer *answer)
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
		holds = is_met(trial, note);
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
	if (untested & ~(unsigned)(DTYPE_FP32 | DTYPE_FP16 | DTYPE_BF16))
		trial_widen(trial, OP_UNSUPPORTED);
}

void trial_reports(struct trial *trial, const struct answer *answer)
{
	judge_reports(trial, answer);
	judge_untested(trial, answer);
}
