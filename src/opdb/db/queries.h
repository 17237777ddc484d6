#pragma once
/* The prepared queries of a handle, and their rows by records. */
#include "opdb/db/row.h"

/* Prepares the queries of a handle that is being opened, and matches the columns of each with the fields of its record;
   finishes them before it is closed. ERR_DB_DAMAGED. */
int queries_prepare(struct opdb *db, struct err *err);
void queries_finish(struct opdb *db);

/* Fills the struct of the query's record from the current row. Members without a column become zero; a value that does
   not fit marks the row as damaged. */
void query_row_read(struct row *row, void *ret);
