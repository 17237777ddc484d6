#pragma once
/* Writers shared by the parts of a look-up's answer, as a document and as JSON. */
#include "report/doc/doc.h"

struct jsonw;

/* Put a line into the open table of facts; none for a value that is empty. */
void lookup_put_fact(struct doc *doc, const char *title, struct str value);

/* Write a list of types under a key. */
void lookup_put_types_json(struct jsonw *json, const char *key, unsigned types);
