#pragma once
/* SQLite: one file, one writer at a time; readers wait for none. */
#include "store/engine/calls.h"

struct sqlite3;

extern const struct engine_calls sqlite_calls;

/* The connection itself, for plans of queries. */
struct sqlite3 *sqlite_of(struct engine *engine);
