#include "store/run.h"

#include "base/memory/mem.h"
#include "store/db.h"
#include "store/pool.h"

int run_list_read_verdicts(struct db *db, struct arena *arena, const struct run_list *list, struct err *err)
{
	struct stored_assessment **records = arena_alloc(arena, (list->count + 1) * sizeof(struct stored_assessment *));

	for (size_t i = 0; i < list->count; i++)
		records[i] = &list->items[i].record;
	return records_read_verdicts(db, arena, records, list->count, err);
}

/* Reads all rows of a bound statement, and their verdicts. */
static int read_runs(struct db *db, struct rows *rows, struct arena *arena, struct run_list *ret, struct err *err)
{
	int status;

	while ((status = rows_step(rows, err)) == 1) {
		ret->items[ret->count] = (struct run){ 0 };
		rows_read(rows, arena, &ret->items[ret->count++]);
	}
	return status ? status : run_list_read_verdicts(db, arena, ret, err);
}

int run_find(struct db *db, const struct id_like *like, struct arena *arena, struct run *ret, struct err *err)
{
	struct run_list found = { .items = ret };
	struct rows *rows = db_bind(
		db, STATEMENT_FIND_RUNS, BIND(TEXT(like->begin), TEXT(like->project), INTEGER(like->max)));
	int status = read_runs(db, rows, arena, &found, err);

	return status ? status : (int)found.count;
}

int store_find_runs(
	struct store *store, const struct id_like *like, struct arena *arena, struct run *ret, struct err *err)
{
	CLEANUP(db_snapshot_end) struct db *db = db_snapshot(store);

	return run_find(db, like, arena, ret, err);
}

int run_list_trend(
	struct db *db, const struct trend_query *query, struct arena *arena, struct run_list *ret, struct err *err)
{
	struct rows *rows = db_bind(db, STATEMENT_TREND,
		BIND(TEXT(query->project), TEXT(query->model), TEXT(query->branch),
			INTEGER(query->before ? query->before : INT64_MAX), INTEGER(query->max)));

	*ret = (struct run_list){ .items = arena_alloc(arena, (query->max + 1) * sizeof(ret->items[0])) };
	return read_runs(db, rows, arena, ret, err);
}

int store_list_trend(struct store *store, const struct trend_query *query, struct arena *arena, struct run_list *ret,
	struct err *err)
{
	CLEANUP(db_snapshot_end) struct db *db = db_snapshot(store);

	return run_list_trend(db, query, arena, ret, err);
}
