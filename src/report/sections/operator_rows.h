#pragma once
/*
 * The rows of a page's table of operators: the gravest first, with the findings about each. All of them are in a block
 * of data, with equal texts stored once, from which the script builds the visible rows and what they open to; the
 * first of them are HTML, too.
 */
#include <stdint.h>

#include "assess/model/result.h"
#include "report/doc/doc.h"

enum { NO_SEVERITY = SEVERITY_NOTE + 1 };

struct operator_rows {
	const struct result *result;
	size_t targets, count;           /* columns; rows that the page has */
	size_t estimated;                /* the first target with shares of its device time; past them: none */
	const uint32_t *order;           /* positions in the result; NULL: in its order */
	const uint32_t *first, *further; /* of each operator, of each finding: position of a finding + 1, 0: none */
};

/* The rows and what they refer to live in the document's arena. */
const struct operator_rows *operator_rows_of(struct doc *doc, const struct result *result, size_t targets);

/* Of the operator at a position: its gravest finding, NO_SEVERITY without one. */
int operator_rows_severity(const struct operator_rows *rows, size_t at);

/* The block of data for the rows, in all languages of the page; part of its first document. */
void operator_data_build(struct doc *doc, const struct operator_rows *rows);
