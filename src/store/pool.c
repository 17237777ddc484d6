#include "store/pool.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory/mem.h"

enum { MS = 1000, NS_A_MS = 1000 * 1000, STEPS_A_LOOK = 10000 };

struct db_pool {
	const char *directory;
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t given;
	uint64_t seconds;
	struct db *items[POOL_MOST], *free[POOL_MOST];
	size_t count, free_count;
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * MS + (uint64_t)now.tv_nsec / NS_A_MS;
}

static int is_over(void *ctx)
{
	const struct db *db = ctx;

	return db->until_ms && now_ms() > db->until_ms;
}

static void give_back(struct db *db)
{
	struct db_pool *pool = db->pool;

	pthread_mutex_lock(&pool->lock);
	db->until_ms = 0;
	pool->free[pool->free_count++] = db;
	pthread_cond_signal(&pool->given);
	pthread_mutex_unlock(&pool->lock);
}

static int open_one(struct db_pool *pool, struct err *err)
{
	struct db *db = mem_zalloc(sizeof(*db));
	int status = db_open(db, pool->directory, false, err);

	pool->items[pool->count++] = db;
	if (status)
		return status;
	db->pool = pool;
	db->give = give_back;
	sqlite3_progress_handler(db->sqlite, STEPS_A_LOOK, is_over, db);
	give_back(db);
	return 0;
}

int pool_new(const char *directory, struct db_pool **ret, struct err *err)
{
	struct db_pool *pool = mem_zalloc(sizeof(*pool));

	pool->directory = directory;
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
	db->until_ms = pool->seconds ? now_ms() + pool->seconds * MS : 0;
	pthread_mutex_unlock(&pool->lock);
	return db;
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

	(*db)->until_ms = 0;
	db_run(*db, STATEMENT_ROLLBACK, BIND_NOTHING, &ignored);
	db_unlock(db);
}

struct db *pool_first(struct db_pool *pool)
{
	return pool->items[0];
}
