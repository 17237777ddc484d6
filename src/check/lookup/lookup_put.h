#pragma once
/* Rows of the table of a look-up's answer. */
#include "report/doc/doc.h"

/* Put a row into the open table of facts, in all formats or in some; none for a value that is empty. label NULL: the
   row goes on with the fact above. */
void lookup_put_fact(struct doc *doc, const char *label, struct str value);
void lookup_put_fact_in(struct doc *doc, unsigned formats, const char *label, struct str value);
