#include "store/run.h"

#include "base/mem.h"
#include "store/db.h"

/* --- reading */

void run_read(struct sqlite3_stmt *row, struct arena *arena, struct run *ret)
{
	struct str *const texts[] = { &ret->id, &ret->created_at, &ret->project, &ret->name, &ret->model, &ret->branch,
		&ret->revision, &ret->tags, &ret->verdict };

	*ret = (struct run){ .number = db_number(row, 0), .kept = db_number(row, 10) != 0 };
	for (int i = 0; i < (int)ARRAY_SIZE(texts); i++)
		*texts[i] = db_text(row, 1 + i, arena);
	record_read(row, RUN_COLUMN_COUNT, arena, &ret->record);
}

int run_find(struct db *db, const struct id_like *like, struct arena *arena, struct run *ret, struct err *err)
{
	struct sqlite3_stmt *rows = db_statement(db, STATEMENT_FIND_RUNS);
	int status, count = 0;

	db_bind_text(rows, 1, like->begin);
	db_bind_text(rows, 2, like->project.len ? like->project : STR(""));
	db_bind_number(rows, 3, like->max);
	while ((status = db_step(db, rows, err)) == 1)
		run_read(rows, arena, &ret[count++]);
	for (int i = 0; i < count && !status; i++)
		status = record_read_verdicts(db, arena, &ret[i].record, err);
	return status ? status : count;
}

int store_find_runs(
	struct store *store, const struct id_like *like, struct arena *arena, struct run *ret, struct err *err)
{
	int status;

	db_snapshot(&store->reader);
	status = run_find(&store->reader, like, arena, ret, err);
	db_snapshot_end(&store->reader);
	return status;
}

/* --- the trend of a model */

int run_list_trend(
	struct db *db, const struct trend_query *query, struct arena *arena, struct run_list *ret, struct err *err)
{
	struct sqlite3_stmt *rows = db_statement(db, STATEMENT_TREND);
	const struct str texts[] = { query->project, query->model, query->branch };
	int status;

	*ret = (struct run_list){ .items = arena_alloc(arena, (query->max + 1) * sizeof(ret->items[0])) };
	for (int i = 0; i < (int)ARRAY_SIZE(texts); i++)
		db_bind_text(rows, 1 + i, texts[i].len ? texts[i] : STR(""));
	db_bind_number(rows, 1 + (int)ARRAY_SIZE(texts), query->before ? query->before : INT64_MAX);
	db_bind_number(rows, 2 + (int)ARRAY_SIZE(texts), query->max);
	while ((status = db_step(db, rows, err)) == 1)
		run_read(rows, arena, &ret->items[ret->count++]);
	for (size_t i = 0; i < ret->count && !status; i++)
		status = record_read_verdicts(db, arena, &ret->items[i].record, err);
	return status;
}

int store_list_trend(struct store *store, const struct trend_query *query, struct arena *arena, struct run_list *ret,
	struct err *err)
{
	int status;

	db_snapshot(&store->reader);
	status = run_list_trend(&store->reader, query, arena, ret, err);
	db_snapshot_end(&store->reader);
	return status;
}
