#include "store/run.h"

#include "base/memory/mem.h"
#include "store/db.h"

void run_read(struct sqlite3_stmt *row, struct arena *arena, struct run *ret)
{
	struct str *const texts[] = { &ret->id, &ret->created_at, &ret->project, &ret->name, &ret->model, &ret->branch,
		&ret->revision, &ret->tags, &ret->verdict };

	*ret = (struct run){ .number = db_number(row, 0), .kept = db_number(row, 10) != 0 };
	for (int i = 0; i < (int)ARRAY_SIZE(texts); i++)
		*texts[i] = db_text(row, 1 + i, arena);
	stored_read(row, RUN_COLUMN_COUNT, arena, &ret->record);
}

/* Reads all rows that come, and their verdicts. */
static int read_runs(
	struct db *db, struct sqlite3_stmt *rows, struct arena *arena, struct run_list *ret, struct err *err)
{
	int status;

	while ((status = db_step(db, rows, err)) == 1)
		run_read(rows, arena, &ret->items[ret->count++]);
	for (size_t i = 0; i < ret->count && !status; i++)
		status = record_read_verdicts(db, arena, &ret->items[i].record, err);
	return status;
}

int run_find(struct db *db, const struct id_like *like, struct arena *arena, struct run *ret, struct err *err)
{
	struct sqlite3_stmt *rows = db_bind(
		db, STATEMENT_FIND_RUNS, BIND(TEXT(like->begin), TEXT(like->project), INTEGER(like->max)));
	struct run_list found = { .items = ret };
	int status = read_runs(db, rows, arena, &found, err);

	return status ? status : (int)found.count;
}

int store_find_runs(
	struct store *store, const struct id_like *like, struct arena *arena, struct run *ret, struct err *err)
{
	CLEANUP(db_snapshot_end) struct db *db = db_snapshot(&store->reader);

	return run_find(db, like, arena, ret, err);
}

int run_list_trend(
	struct db *db, const struct trend_query *query, struct arena *arena, struct run_list *ret, struct err *err)
{
	struct sqlite3_stmt *rows = db_bind(db, STATEMENT_TREND,
		BIND(TEXT(query->project), TEXT(query->model), TEXT(query->branch),
			INTEGER(query->before ? query->before : INT64_MAX), INTEGER(query->max)));

	*ret = (struct run_list){ .items = arena_alloc(arena, (query->max + 1) * sizeof(ret->items[0])) };
	return read_runs(db, rows, arena, ret, err);
}

int store_list_trend(struct store *store, const struct trend_query *query, struct arena *arena, struct run_list *ret,
	struct err *err)
{
	CLEANUP(db_snapshot_end) struct db *db = db_snapshot(&store->reader);

	return run_list_trend(db, query, arena, ret, err);
}
