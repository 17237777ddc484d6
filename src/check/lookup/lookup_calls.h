#pragma once
/* Operators that a Python name calls; empty for an operator. */
#include "check/lookup/lookup.h"
#include "report/doc/doc.h"

struct jsonw;

/* Put a table into the open document; write a key "api" of the open object. */
void lookup_put_calls(struct doc *doc, const struct lookup *lookup);
void lookup_put_calls_json(const struct lookup *lookup, struct jsonw *json);
