#pragma once
/* Inside the store: connections with their statements. */
#include <pthread.h>
#include <stdatomic.h>

#include "base/memory/mem.h"
#include "base/setup/err.h"
#include "store/blobs/blobs.h"
#include "store/engine/engine.h"
#include "store/statement.h"
#include "store/upload.h"

struct db_pool;

/* A connection. One writes; the others read, so that readers wait neither for it nor for each other. */
struct db {
	struct db_pool *pool;        /* of one that reads (pool.h); NULL: it writes */
	void (*give)(struct db *db); /* takes such a one back */
	pthread_mutex_t lock;        /* of the connection and its statements */
	struct engine *engine;
	bool delivers; /* each run that it adds */
};

struct store {
	struct store_place place;
	int lock_fd, poke_fd; /* the second ends the claimer's wait for signals */
	struct blobs *blobs;
	atomic_ullong changes;       /* commits of the writer */
	pthread_mutex_t lock;        /* of these three */
	uint64_t total, counted_at;  /* assessments, and changes at that time plus one; 0: not counted */
	struct damaged_dump damaged; /* found when it was read last */
	struct db_pool *pool;
	struct db writer, claimer; /* the second of a shared store alone */
};

/* Connects; the one that writes comes first, brings the tables up to date and checks that they are whole. */
int db_open(struct db *db, const struct store_place *place, bool writes, struct err *err);
void db_close(struct db *db);

/* For CLEANUP: the lock, held until the scope is left. */
struct db *db_lock(struct db *db);
void db_unlock(struct db **db);

/* The connection of leases, locked: a claim waits for no write of a shared store, and is no change that readers see. */
struct db *db_claimer(struct store *store);

/* db_run under the lock of the writer, and of the claimer. */
int store_write(struct store *store, enum statement which, const struct db_value *values, struct err *err);
int store_claim(struct store *store, enum statement which, const struct db_value *values, struct err *err);

/* A transaction; several may add at a time. db_end commits, or rolls back for an error: status, or the commit's. */
int db_begin(struct db *db, struct err *err);
int db_begin_adding(struct db *db, struct err *err);
int db_end(struct db *db, int status, struct err *err);

/* A statement of the table, from its start, with these values. Hold the lock, here and below. */
struct rows *db_bind(struct db *db, enum statement which, const struct db_value *values);

/* The first step alone, after which the statement is reset. */
int db_run(struct db *db, enum statement which, const struct db_value *values, struct err *err);

/* The only row of a statement, which is one number: 1, 0 without one, or an error. */
int db_find_number(struct db *db, enum statement which, const struct db_value *values, uint64_t *ret, struct err *err);

/* Reset a statement before its last row, and return status if it is an error, else 0. */
int db_finish(struct rows *rows, int status);

/* All rows of a statement, which are one number each; the caller frees the items. */
struct db_numbers {
	uint64_t *items;
	size_t count, capacity;
};
int db_list_numbers(struct rows *rows, struct db_numbers *ret, struct err *err);

/* Moves items from the heap into the arena; never NULL. */
void *db_keep_items(struct arena *arena, void *items, size_t count, size_t item_bytes);

/* ERR_STORE or ERR_STORE_FULL with the system's reason, for a failure on a file of the store. */
int store_error(struct store *store, int errno_value, const char *what, struct err *err);
