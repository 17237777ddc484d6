#pragma once
/*
 * An SQLite file system of one open file: read-only, never changed by anybody, and nothing beside it. No path is looked
 * at, no temporary file can be made, and no lock is taken, whatever a database asks for.
 */
struct sqlite3;

/* Opens the database behind a descriptor, which the caller keeps open as long: SQLite's code. *ret is to be closed in
   any case. */
int npu_db_open_file(int fd, struct sqlite3 **ret);
