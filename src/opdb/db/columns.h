#pragma once
/* The columns of a row of SQL by the fields of a record: each field has a column of its name, each column a field. */
#include "record/record.h"

struct sqlite3_stmt;

enum { ROW_COLUMNS = 32 }; /* of one statement, at most */

/* The column of each field, in the order of the fields; those of an inline record in its place. */
struct row_columns {
	int at[ROW_COLUMNS];
};

/* Finds the columns of a prepared statement. NULL, or the name without a partner. */
const char *columns_match(struct sqlite3_stmt *statement, const struct record *record, struct row_columns *ret);
