#pragma once
/* The small tables that are read when a database is opened. */
#include "opdb/db/handle.h"

/* Reads the small tables of a handle that is being opened; what is read is checked. ERR_DB_DAMAGED. */
int load_tables(struct opdb *db, struct err *err);
