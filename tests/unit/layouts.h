#pragma once
/* Layouts and rows made from text, and the rows of whole fixtures. */
#include "dump/table/row.h"
#include "tests/unit/check.h"

/* The layout of a header over a line of dashes; dashes may be NULL. Fails the test when it is none. */
struct layout layout_of(const char *dashes, const char *header);

/* Calls each for every line of a text that stands in a table with spans, whether it is a row or not. */
void each_table_line(struct str text, void (*each)(void *ctx, const struct layout *layout, struct str line), void *ctx);

/* Whether two rows say the same. */
bool rows_equal(const struct table_row *a, const struct table_row *b);
