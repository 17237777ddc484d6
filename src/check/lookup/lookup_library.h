#pragma once
/* Facts of libraries other than the plugins: collectives and packages. */
#include "check/lookup/lookup.h"
#include "report/doc/doc.h"

struct jsonw;

/* Put lines into the open table of facts; write keys of the open object. */
void lookup_put_library(struct doc *doc, const struct answer *answer);
void lookup_put_library_json(const struct answer *answer, struct jsonw *json);
