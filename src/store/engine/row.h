#pragma once
/* Rows read by the names of their columns: a record says which column becomes which member. */
#include "base/memory/arena.h"
#include "base/setup/err.h"
#include "opdb/db/columns.h"

struct rows;

/* Finds the columns of the record. ERR_STORE unless each field has one column of its name, and each column a field. */
int row_match(struct rows *rows, struct err *err);

/* Fills the members of a struct from the current row; text and bytes are copied into the arena. */
void row_read(const struct rows *row, struct arena *arena, void *ret);
