#pragma once
/*
 * One row of observations against one answer, by type.
 *
 * A row without a type agrees if the answer for int64, or for the type in its detail, says so and the one for fp32 is
 * right too; where int64 is no type that the operator takes, if the answer for fp32 says so.
 */
#include "check/observations.h"
#include "opdb/resolve/resolve.h"

/* Whether the answer says of the types what the row reports, kind by kind. */
bool key_agrees(const struct observation *row, const struct target *target, const struct answer *answer);

/* Whether it says for certain that what a native row reports does not run so: on the CPU, on the AI CPU, or not. */
bool key_alarms(const struct observation *row, const struct answer *answer);
