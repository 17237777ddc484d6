#pragma once
/* The tables of the fact text, and what their cells have to be. */
#include "opdb/build/table.h"

/* Rules for cells of these columns in tables without their own; ends at a NULL column. */
extern const struct cell_rule fact_cells[];

/* In the order in which they are read, which is that of what refers to what. */
extern const struct fact_table fact_tables[];
extern const size_t fact_table_count;

/* The columns of a file, joined by blanks; "" for a file that is not a table. */
struct str fact_table_columns(const char *file);
