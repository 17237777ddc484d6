#pragma once
/* What a page of a comparison has in place of lines: targets as bars before and after, operators as tables of what got
   worse, is fixed, new or gone, or changed otherwise. */
#include "assess/compare/changes.h"
#include "report/doc.h"

void changes_targets_build(struct doc *doc, const struct changes *changes);
void changes_operators_build(struct doc *doc, const struct changes *changes);
