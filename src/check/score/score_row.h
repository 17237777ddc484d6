#pragma once
/* One observed row against one answer. */
#include "check/score/observations.h"
#include "opdb/db/note.h"
#include "opdb/resolve/resolve.h"

/*
 * One row against one answer, by type. A row without a type agrees if the answer for int64, or for the type in its
 * detail, says so and the one for fp32 is right too; where int64 is no type that the operator takes, if the answer for
 * fp32 says so. The other: whether the answer says for certain that what a native row reports does not run so.
 */
bool key_agrees(const struct observation *row, const struct target *target, const struct answer *answer);
bool key_alarms(const struct observation *row, const struct answer *answer);
bool answer_has_note(const struct answer *answer, enum note_kind kind); /* one that no better one contradicts */
