#pragma once
/* Writers shared by the parts of a look-up's answer, as a document and as JSON. */
#include "report/doc/doc.h"

struct jsonw;

/* Put a row into the open table of facts, in all formats or in some; none for a value that is empty. label NULL: the
   row goes on with the fact above. */
void lookup_put_fact(struct doc *doc, const char *label, struct str value);
void lookup_put_fact_in(struct doc *doc, unsigned formats, const char *label, struct str value);

/* Write a list of types under a key. */
void lookup_put_types_json(struct jsonw *json, const char *key, unsigned types);
