#include "check/score/score_row.h"

#include "assess/judge/judgement.h"
#include "check/score/score_limit.h"
#include "opdb/model/dtype.h"

enum { FLOATS = DTYPE_FP32 | DTYPE_FP16 | DTYPE_BF16 };

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

bool answer_has_note(const struct answer *answer, enum note_kind kind)
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
	       (answer->refused & FLOATS) == FLOATS;
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

bool key_agrees(const struct observation *row, const struct target *target, const struct answer *answer)
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
bool key_alarms(const struct observation *row, const struct answer *answer)
{
	unsigned types = types_of(row) ? types_of(row) : FLOATS | DTYPE_INT64;

	if (row->observed != OBSERVED_NATIVE)
		return false;
	if (!runs(answer))
		return answer->status != OP_UNKNOWN;
	return judgement_runs_on_device(answer->status) && !(types & ~(answer->slow | answer->refused));
}
