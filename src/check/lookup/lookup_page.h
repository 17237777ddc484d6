#pragma once
/* The parts of an operator's page above its answers (lookup_doc.h). */
#include "check/lookup/lookup.h"
#include "report/doc/doc_build.h"

/* The name, and the versions of PyTorch that have it. */
void lookup_build_head(struct doc *doc, const struct lookup *lookup);

/* The history of the operator as a drawing: a row for each family of its answers, over all releases of the family. The
   answers have the same as a list. */
void lookup_build_life(struct doc *doc, const struct opdb *db, const struct lookup *lookup);
