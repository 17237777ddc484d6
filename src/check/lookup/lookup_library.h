#pragma once
/* Facts of libraries other than the plugins: collectives and packages. */
#include "check/lookup/lookup.h"
#include "report/doc/doc.h"

/* Put lines into the open table of facts. */
void lookup_put_library(struct doc *doc, const struct answer *answer);
