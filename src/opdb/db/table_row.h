#pragma once
/* Rows of the small tables read by records; kinds of their numbers, which the tables before them bound. */
#include "opdb/db/columns.h"
#include "opdb/db/row.h"
#include "record/kind.h"

extern const struct kind kind_ordinal; /* no member: the rows before this one; kind_id: and one more */
extern const struct kind kind_id;
extern const struct kind kind_source; /* unsigned: id of a source, 0 for NULL; below, of a rule */
extern const struct kind kind_rule;
extern const struct kind kind_torch; /* unsigned: place of a version of PyTorch; below, of CANN */
extern const struct kind kind_cann;
extern const struct kind kind_release; /* unsigned: position of a release; below, of a recipe */
extern const struct kind kind_recipe;
extern const struct kind kind_document;   /* unsigned: place of a document */
extern const struct kind kind_dtypes;     /* unsigned: bits of enum dtype, from a list of their names */
extern const struct kind kind_dtype_bits; /* the same as a number */

/* A closed set of words in a column; any other one is damage. */
#define ROW_WORDS(name, ...)                                                                                           \
	static const struct str name##_items[] = { __VA_ARGS__ };                                                      \
	static const struct words name = { name##_items, ARRAY_SIZE(name##_items), 0 }

/* Fill the members of a struct from the current row; rows: number of earlier ones. A value that does not fit its
   kind marks the row as damaged. */
void table_row_read(
	struct row *row, const struct record *record, const struct row_columns *columns, size_t rows, void *ret);
