#pragma once
/* The small tables that are read when a database is opened. */
#include "opdb/db/handle.h"

/* Read and check the small tables of a handle that is being opened. ERR_DB_DAMAGED. */
int load_tables(struct opdb *db, struct err *err);
void free_tables(struct opdb *db);
