#pragma once
/* The unit of an NPU that runs an operator, by type. */
#include "check/lookup/lookup.h"
#include "report/doc/doc.h"

/* Returns whether the kernels of CANN contradict a report or a document on some type. */
bool lookup_is_against_kernels(const struct answer *answer, const struct note *note);

/* Put a table into the open document, none without facts of units. */
void lookup_put_units(struct doc *doc, const struct answer *answer);
