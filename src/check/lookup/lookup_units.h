#pragma once
/* Which unit of an NPU runs an operator, by type. */
#include "check/lookup/lookup.h"
#include "report/doc/doc.h"

struct jsonw;

/* Whether a report or a document says of some type what the kernels of CANN contradict. */
bool lookup_is_against_kernels(const struct answer *answer, const struct note *note);

/* Put a table into the open document, none without facts of units; write an object "units". */
void lookup_put_units(struct doc *doc, const struct answer *answer);
void lookup_put_units_json(const struct answer *answer, struct jsonw *json);
