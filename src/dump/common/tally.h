#pragma once
/* Where things ran, summed up while a dump is read and emitted at its end: tables of tasks have a row for every one. */
#include "dump/common/format.h"

struct tally;

struct tally *tally_new(const struct dump_context *context);
void tally_free(struct tally *tally);

/* Add to the sum with the same name, launch, kind and place. Over the limit it is emitted at once. */
void tally_add(struct tally *tally, const struct op_observation *observation);

/* Emits all sums. */
void tally_emit(struct tally *tally);
