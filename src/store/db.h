#pragma once
/* Inside the store: connections with their statements, and the errors that failures become. */
#include <pthread.h>
#include <stdatomic.h>

#include "base/memory/mem.h"
#include "base/setup/err.h"
#include "store/row.h"
#include "store/statement.h"
#include "store/upload.h"

struct db_pool;
struct sqlite3;
struct sqlite3_stmt;

enum { DB_BUSY_MS = 5000 }; /* that a writer waits for another one */

/* A connection. One writes; the others read, so that readers wait neither for it nor for each other. */
struct db {
	const char *directory;
	struct db_pool *pool;        /* of one that reads (pool.h); NULL: it writes */
	void (*give)(struct db *db); /* takes such a one back */
	uint64_t until_ms;           /* of the monotonic clock: its query is ended then; 0: never */
	pthread_mutex_t lock;        /* of the connection and its statements */
	struct sqlite3 *sqlite;
	struct sqlite3_stmt *statements[STATEMENT_COUNT];
	struct row_columns columns[STATEMENT_COUNT];
	bool may_come_back; /* until the next commit: a failed transaction may count when the file is opened again */
	bool delivers;      /* each run that it adds */
};

struct store {
	char *directory;
	int lock_fd, backup_fd;      /* the second is locked by who copies the dumps */
	atomic_ullong changes;       /* what the writer committed */
	pthread_mutex_t lock;        /* of these three */
	uint64_t total, counted_at;  /* assessments, and changes at that time plus one; 0: not counted */
	struct damaged_dump damaged; /* found when it was read last */
	struct db_pool *pool;
	struct db writer;
};

/* Opens DIRECTORY/store.sqlite, prepares every statement and finds the columns of its rows; the one that writes comes
   first, brings the file up to date and looks whether it is whole: ERR_STORE_DAMAGED. */
int db_open(struct db *db, const char *directory, bool writes, struct err *err);
void db_close(struct db *db);

/* For CLEANUP: the lock, held until the scope is left. */
struct db *db_lock(struct db *db);
void db_unlock(struct db **db);

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
