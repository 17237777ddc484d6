#pragma once
/* Inside the store: connections that read, each lent to one thread at a time. */
#include "store/db.h"

enum { POOL_MOST = 128 };

/* Opens one connection. */
int pool_new(const struct store_place *place, struct db_pool **ret, struct err *err);

/* NULL is allowed. */
void pool_free(struct db_pool *pool);

/* Opens further ones until there are that many, and bounds a loan in seconds; 0: unbounded. */
int pool_grow(struct db_pool *pool, unsigned count, uint64_t seconds, struct err *err);

/* Lend a connection when one is free, for CLEANUP(db_unlock). */
struct db *db_reader(struct store *store);

/* Bring the rollups up to the runs that are there. */
int db_fold(struct db *db, struct err *err);

/* The same for CLEANUP(db_snapshot_end): until then all statements read what was committed at the first one. */
struct db *db_snapshot(struct store *store);
void db_snapshot_end(struct db **db);

/* One of them, which no other thread uses. For tests. */
struct db *pool_first(struct db_pool *pool);
