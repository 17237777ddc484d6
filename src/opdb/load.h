#pragma once
/* The small tables, read once when a database is opened: sources, versions, releases, rules, namespaces. */
#include "opdb/db.h"

int load_tables(struct opdb *db, struct err *err);
