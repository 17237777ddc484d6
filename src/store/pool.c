#include "store/pool.h"

#include <stdlib.h>

#include "base/memory/mem.h"

struct db_pool {
	const struct store_place *place;
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t given;
	uint64_t seconds;
	struct db *items[POOL_MOST], *free[POOL_MOST];
	size_t count, free_count;
};

static void give_back(struct db *db)
{
	struct db_pool *pool = db->pool;

	engine_bound(db->engine, pool->seconds, false);
	pthread_mutex_lock(&pool->lock);
	pool->free[pool->free_count++] = db;
	pthread_cond_signal(&pool->given);
	pthread_mutex_unlock(&pool->lock);
}

static int open_one(struct db_pool *pool, struct err *err)
{
	struct db *db = mem_zalloc(sizeof(*db));
	int status = db_open(db, pool->place, false, err);

	pool->items[pool->count++] = db;
	if (status)
		return status;
	db->pool = pool;
	db->give = give_back;
	give_back(db);
	return 0;
}

int pool_new(const struct store_place *place, struct db_pool **ret, struct err *err)
{
	struct db_pool *pool = mem_zalloc(sizeof(*pool));

	pool->place = place;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->given, NULL);
	*ret = pool;
	return open_one(pool, err);
}

void pool_free(struct db_pool *pool)
{
	if (!pool)
		return;
	for (size_t i = 0; i < pool->count; i++) {
		db_close(pool->items[i]);
		free(pool->items[i]);
	}
	pthread_cond_destroy(&pool->given);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

int pool_grow(struct db_pool *pool, unsigned count, uint64_t seconds, struct err *err)
{
	int status = 0;

	pool->seconds = seconds;
	while (!status && pool->count < count && pool->count < POOL_MOST)
		status = open_one(pool, err);
	return status;
}

struct db *db_reader(struct store *store)
{
	struct db_pool *pool = store->pool;
	struct db *db;

	pthread_mutex_lock(&pool->lock);
	while (!pool->free_count)
		pthread_cond_wait(&pool->given, &pool->lock);
	db = pool->free[--pool->free_count];
	pthread_mutex_unlock(&pool->lock);
	engine_bound(db->engine, pool->seconds, true);
	return db;
}

int db_fold(struct db *db, struct err *err)
{
	int status = db_run(db, STATEMENT_FOLD, BIND_NOTHING, err);

	return status < 0 ? status : 0;
}

struct db *db_snapshot(struct store *store)
{
	struct db *db = db_reader(store);
	struct err ignored;

	db_run(db, STATEMENT_SNAPSHOT, BIND_NOTHING, &ignored); /* where it fails, so does what comes next */
	return db;
}

void db_snapshot_end(struct db **db)
{
	struct err ignored;

	engine_bound((*db)->engine, 0, false); /* the end itself is not ended */
	db_run(*db, STATEMENT_ROLLBACK, BIND_NOTHING, &ignored);
	db_unlock(db);
}

struct db *pool_first(struct db_pool *pool)
{
	return pool->items[0];
}
