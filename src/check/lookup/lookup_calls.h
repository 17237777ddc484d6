#pragma once
/* Operators that a Python name calls; empty for an operator. */
#include "check/lookup/lookup.h"
#include "report/doc/doc.h"

/* Put a table into the open document. */
void lookup_put_calls(struct doc *doc, const struct lookup *lookup);
