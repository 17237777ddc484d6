#pragma once
/* The facts of one operator as a document. */
#include "check/lookup/lookup.h"

/* The answers as a document, with the recipes that fit. A page has a head of its own. */
void lookup_build(struct doc *doc, const struct lookup *lookup);
void lookup_build_answers(struct doc *doc, const struct lookup *lookup);
