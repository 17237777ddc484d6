#pragma once
/* What became of an operator from release to release, as a drawing; the page has the same as a list. */
#include "check/lookup.h"
#include "report/doc_build.h"

/* A row for each of its answers, over all releases of the target. */
void life_draw(struct doc *doc, const struct opdb *db, const struct lookup *lookup);
