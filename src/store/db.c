#include "store/db.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "store/rows.h"

int store_error(struct store *store, int errno_value, const char *what, struct err *err)
{
	return blob_file_error(store->place.directory, errno_value, what, err);
}

/* --- statements */

struct rows *db_bind(struct db *db, enum statement which, const struct db_value *values)
{
	return engine_bind(db->engine, which, values);
}

int db_run(struct db *db, enum statement which, const struct db_value *values, struct err *err)
{
	return engine_run(db->engine, which, values, err);
}

int db_find_number(struct db *db, enum statement which, const struct db_value *values, uint64_t *ret, struct err *err)
{
	struct number_row row = { 0 };
	int status = rows_one(db_bind(db, which, values), NULL, &row, err);

	if (status == 1)
		*ret = row.number;
	return status;
}

int db_finish(struct rows *rows, int status)
{
	rows_stop(rows);
	return status < 0 ? status : 0;
}

struct db *db_lock(struct db *db)
{
	pthread_mutex_lock(&db->lock);
	return db;
}

void db_unlock(struct db **db)
{
	if ((*db)->give)
		(*db)->give(*db);
	else
		pthread_mutex_unlock(&(*db)->lock);
}

int store_write(struct store *store, enum statement which, const struct db_value *values, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);

	return db_run(db, which, values, err);
}

struct db *db_claimer(struct store *store)
{
	return db_lock(store->place.url ? &store->claimer : &store->writer);
}

int store_claim(struct store *store, enum statement which, const struct db_value *values, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_claimer(store);

	return db_run(db, which, values, err);
}

int db_begin(struct db *db, struct err *err)
{
	int status = db_run(db, STATEMENT_BEGIN, BIND_NOTHING, err);

	return status < 0 ? status : 0;
}

int db_begin_adding(struct db *db, struct err *err)
{
	int status = db_run(db, STATEMENT_BEGIN_ADDING, BIND_NOTHING, err);

	return status < 0 ? status : 0;
}

int db_end(struct db *db, int status, struct err *err)
{
	struct err ignored;
	int committed = status < 0 ? status : db_run(db, STATEMENT_COMMIT, BIND_NOTHING, err);

	if (committed) /* the database may have rolled back by itself already, which makes this one fail */
		db_run(db, STATEMENT_ROLLBACK, BIND_NOTHING, &ignored);
	return committed ? committed : status;
}

int db_list_numbers(struct rows *rows, struct db_numbers *ret, struct err *err)
{
	struct number_row row;
	int status;

	while ((status = rows_step(rows, err)) == 1) {
		rows_read(rows, NULL, &row);
		MEM_PUSH(ret, row.number);
	}
	return status;
}

void *db_keep_items(struct arena *arena, void *items, size_t count, size_t item_bytes)
{
	void *ret = arena_alloc(arena, (count + 1) * item_bytes);

	if (count)
		memcpy(ret, items, count * item_bytes);
	free(items);
	return ret;
}

int db_open(struct db *db, const struct store_place *place, bool writes, struct err *err)
{
	static const struct engine_table table = { statement_texts, STATEMENT_COUNT };

	return engine_open(place, &table, writes, &db->engine, err);
}

void db_close(struct db *db)
{
	engine_close(db->engine);
}
