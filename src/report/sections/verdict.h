#pragma once
/* The verdict on an operator in a document. */
#include "assess/model/result.h"
#include "report/doc/doc.h"

/* Put the whole verdict on one target: status, conditions, advice, evidence and overloads. */
void verdict_build(struct doc *doc, const struct result_verdict *verdict);

/* Put the status alone, as in a row of a table. */
void status_build(struct doc *doc, const struct result_verdict *verdict);

/* Colour of an operator on a target: the worst of its status, conditions, reports and units. */
enum status_look { LOOK_FINE, LOOK_LIMITED, LOOK_STOPS, LOOK_UNKNOWN };

/* By look, its class of style, and a mark so that colour does not say it alone. */
extern const struct look {
	const char *css, *mark;
} status_looks[];
enum status_look status_look(const struct result_verdict *verdict);

/* Returns "native, not bf16". */
struct str status_in_words(struct doc *doc, const struct result_verdict *verdict);

/* Put an item of a list. */
void evidence_build(struct doc *doc, const struct result_evidence *evidence);
