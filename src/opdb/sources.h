#pragma once
/* The sources that a database names, for lists and manifests. */
#include "opdb/opdb.h"
#include "opdb/tables.h"

/* All of them, in the order of the fact text. */
const struct source *opdb_sources(const struct opdb *db, size_t *ret_count);
