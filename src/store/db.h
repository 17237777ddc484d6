#pragma once
/* Inside the store: connections with their statements, and the errors that failures become. */
#include <pthread.h>
#include <stdatomic.h>

#include "base/memory/mem.h"
#include "base/setup/err.h"
#include "store/row.h"
#include "store/statement.h"
#include "store/upload.h"

struct sqlite3;
struct sqlite3_stmt;

enum { DB_BUSY_MS = 5000 }; /* that a writer waits for another one */

/* A connection. There are two, so that readers never wait for a writer. */
struct db {
	const char *directory;
	pthread_mutex_t lock; /* of the connection and its statements */
	struct sqlite3 *sqlite;
	struct sqlite3_stmt *statements[STATEMENT_COUNT];
	struct row_columns columns[STATEMENT_COUNT];
	/* a transaction has failed, but what it wrote to the log may count when the file is opened again; until the
	   next one is committed, which takes its place */
	bool may_come_back;
	bool delivers; /* each run that it adds */
};

struct store {
	char *directory;
	int lock_fd, backup_fd; /* the second is locked by who copies the dumps */
	atomic_ullong changes;  /* what the writer committed */
	/* under the reader's lock: number of assessments, and changes at that time plus one; 0: not counted */
	uint64_t total, counted_at;
	struct damaged_dump damaged; /* under the reader's lock: found when it was read last */
	struct db reader, writer;
};

/* Opens DIRECTORY/store.sqlite, prepares every statement and finds the columns of its rows; the one that writes comes
   first, brings the file up to date and looks whether it is whole: ERR_STORE_DAMAGED. */
int db_open(struct db *db, const char *directory, bool writes, struct err *err);
void db_close(struct db *db);

/* For CLEANUP: the lock, held until the scope is left. */
struct db *db_lock(struct db *db);
void db_unlock(struct db **db);

/* The same, and until then all statements read what was committed at the first one. */
struct db *db_snapshot(struct db *db);
void db_snapshot_end(struct db **db);

/* db_run under the lock of the writer. */
int store_write(struct store *store, enum statement which, const struct db_value *values, struct err *err);

/* A transaction. db_end commits unless status is an error, which rolls back. Returns status, or the error of the
   commit. */
int db_begin(struct db *db, struct err *err);
int db_end(struct db *db, int status, struct err *err);

/* Fills the members that the rows of a statement have (rows.h) from the current one; text and bytes are copied into the
   arena. db_number: of a row that is one number. */
void db_read(struct db *db, enum statement which, struct arena *arena, void *ret);
uint64_t db_number(struct db *db, enum statement which);

/* All rows of a bound statement that are one number; the caller frees the items. */
struct db_numbers {
	uint64_t *items;
	size_t count, capacity;
};
int db_list_numbers(struct db *db, enum statement which, struct db_numbers *ret, struct err *err);

/* Moves items from the heap into the arena; never NULL. */
void *db_keep_items(struct arena *arena, void *items, size_t count, size_t item_bytes);

/* ERR_STORE, ERR_STORE_FULL or ERR_STORE_DAMAGED with SQLite's reason. */
int db_error(struct db *db, struct err *err);

/* The same with the system's reason, for a failure on a file of the store. */
int store_error(struct store *store, int errno_value, const char *what, struct err *err);
