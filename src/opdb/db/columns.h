#pragma once
/* The columns of a row of SQL by the fields of a record: each field has a column of its name, each column a field. */
#include "record/record.h"

struct buf;
struct sqlite3_stmt;

enum { ROW_COLUMNS = 32 }; /* of one statement, at most */

/* The column of each field, in the order of the fields; those of an inline record in its place. */
struct row_columns {
	int at[ROW_COLUMNS];
};

/* Names of columns; more than ROW_COLUMNS match no record. */
struct column_names {
	const char *const *items;
	int count;
};

/* Finds the columns. NULL, or the name without a partner. */
const char *columns_match_names(const struct column_names *names, const struct record *record, struct row_columns *ret);

/* Finds the columns of a prepared statement. NULL, or the name without a partner. */
const char *columns_match(struct sqlite3_stmt *statement, const struct record *record, struct row_columns *ret);

/* Appends a statement; one without SELECT, "FROM name WHERE ...", gets a column for each field of the record. */
void columns_sql(struct buf *ret, const struct record *record, const char *sql);
