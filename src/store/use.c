#include "store/use.h"

#include "store/db.h"

/* Hold the lock. */
static int read_uses(
	struct db *db, const struct use_query *query, struct arena *arena, struct use_list *ret, struct err *err)
{
	struct sqlite3_stmt *rows = db_statement(db, STATEMENT_USES);
	int status;

	*ret = (struct use_list){ .items = arena_alloc(arena, (query->max + 1) * sizeof(ret->items[0])) };
	db_bind_text(rows, 1, query->project.len ? query->project : STR(""));
	db_bind_number(rows, 2, query->max);
	while ((status = db_step(db, rows, err)) == 1)
		ret->items[ret->count++] = (struct operator_use){ db_text(rows, 0, arena), db_number(rows, 1) };
	return status;
}

int store_list_uses(
	struct store *store, const struct use_query *query, struct arena *arena, struct use_list *ret, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->reader.lock);
	status = read_uses(&store->reader, query, arena, ret, err);
	pthread_mutex_unlock(&store->reader.lock);
	return status;
}
