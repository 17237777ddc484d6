#pragma once
/*
 * An SQLite file system of one open file: read-only, never changed by anybody, and nothing beside it. No path is looked
 * at, no temporary file can be made, and no lock is taken, whatever a database asks for.
 */
#include "io/source.h"

struct sqlite3;

/* Opens the database that a span of an open file is, which the caller keeps open as long: SQLite's code. *ret is to be
   closed in any case. */
int npu_db_open_file(int fd, const struct file_span *span, struct sqlite3 **ret);
