#pragma once
/* The tables of the fact text. */
#include "opdb/build/store.h"

/* In the order in which they are read, which is that of what refers to what. */
extern const struct fact_table fact_tables[];
extern const size_t fact_table_count;

/* The columns of a file, joined by blanks; "" for a file that is no table. */
struct str fact_table_columns(const char *file);
