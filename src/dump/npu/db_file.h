#pragma once
/*
 * An SQLite file system of one open, immutable file. It opens no path, makes no temporary file and takes no lock,
 * whatever a database requests.
 */
#include "io/source.h"

struct sqlite3;

/* Opens the database that a span of an open file is, which the caller keeps open as long: SQLite's code. *ret is to be
   closed in any case. */
int npu_db_open_file(int fd, const struct file_span *span, struct sqlite3 **ret);
