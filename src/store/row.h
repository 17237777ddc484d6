#pragma once
/* Rows of SQL read by the names of their columns: a record says which column becomes which member. */
#include "base/memory/arena.h"
#include "base/setup/err.h"
#include "opdb/db/columns.h"

/* Finds the columns of a prepared statement. ERR_STORE unless each field has one column of its name, and each column a
   field. */
int row_match(struct sqlite3_stmt *statement, const struct record *record, struct row_columns *ret, struct err *err);

/* Fills the members of a struct from the current row; text and bytes are copied into the arena. */
void row_read(struct sqlite3_stmt *row, const struct record *record, const struct row_columns *columns,
	struct arena *arena, void *ret);
