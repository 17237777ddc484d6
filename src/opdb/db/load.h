#pragma once
/* The small tables, read once when a database is opened: sources, versions, releases, rules, namespaces, recipes. */
#include "opdb/db/handle.h"

/* What is read is checked; texts live in the handle's arena. ERR_DB_DAMAGED. */
int load_tables(struct opdb *db, struct err *err);
