#pragma once
/* Every release, and the smallest moves to ready. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void releases_build(struct doc *doc, const struct result *result); /* on a page alone */
/* The sentence of a move, with {from}, {to} and {releases}. */
const char *move_text_id(const struct result_move *move);
void moves_build(struct doc *doc, const struct result_releases *releases);
void spans_build(struct doc *doc, const struct result_blocker *blocker); /* where an operator blocks, in words */
