#pragma once
/* The facts of one operator as a document. */
#include "check/lookup/lookup.h"

/* The answers as a document, with the recipes that fit. */
void lookup_build(struct doc *doc, const struct lookup *lookup);

/* The answers alone, for a page with a head of its own. */
void lookup_build_answers(struct doc *doc, const struct lookup *lookup);
