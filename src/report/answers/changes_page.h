#pragma once
/* A comparison on a page: each target before and after, and the operators that changed, what got worse apart from what
   is fixed, new or gone. */
#include "assess/compare/changes.h"
#include "report/doc/doc.h"

/* Changes on a page: targets as bars before and after, operators as tables of regressions, fixes, new and removed
   ones, and other changes. */
void changes_targets_build(struct doc *doc, const struct changes *changes);
void changes_operators_build(struct doc *doc, const struct changes *changes);
