#include "store/record.h"

#include <time.h>

#include "base/mem.h"
#include "store/db.h"

void record_time(uint64_t seconds, char ret[RECORD_TIME_BYTES])
{
	time_t time = (time_t)seconds;
	struct tm parts = { 0 };

	gmtime_r(&time, &parts);
	strftime(ret, RECORD_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

/* --- reading; hold the lock */

void record_read(struct sqlite3_stmt *row, int first, struct arena *arena, struct record *ret)
{
	struct str *const texts[] = { &ret->id, &ret->created_at, &ret->name, &ret->input_sha256 };
	struct str *const more[] = { &ret->options, &ret->db_sha256, &ret->tool_version };

	*ret = (struct record){ .number = db_number(row, first), .input_bytes = db_number(row, first + 5) };
	for (int i = 0; i < (int)ARRAY_SIZE(texts); i++)
		*texts[i] = db_text(row, first + 1 + i, arena);
	for (int i = 0; i < (int)ARRAY_SIZE(more); i++)
		*more[i] = db_text(row, first + 6 + i, arena);
}

struct verdicts {
	struct record_verdict *items;
	size_t count, capacity;
};

int record_read_verdicts(struct db *db, struct arena *arena, struct record *record, struct err *err)
{
	struct sqlite3_stmt *rows = db_statement(db, STATEMENT_VERDICTS);
	struct verdicts found = { 0 };
	int status;

	db_bind_number(rows, 1, record->number);
	while ((status = db_step(db, rows, err)) == 1)
		MEM_PUSH(&found,
			((struct record_verdict){ db_text(rows, 0, arena), db_text(rows, 1, arena),
				db_text(rows, 2, arena), (int64_t)db_number(rows, 3), (int64_t)db_number(rows, 4) }));
	record->verdicts = arena_alloc(arena, (found.count + 1) * sizeof(found.items[0]));
	if (found.count)
		memcpy(record->verdicts, found.items, found.count * sizeof(found.items[0]));
	record->verdict_count = found.count;
	mem_release(&found.items);
	return status;
}

int record_find(struct db *db, struct str id, struct arena *arena, struct record *ret, struct err *err)
{
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_FIND);
	int status;

	db_bind_text(row, 1, id);
	status = db_step(db, row, err);
	if (status != 1)
		return status;
	record_read(row, 0, arena, ret);
	db_stop(row);
	status = record_read_verdicts(db, arena, ret, err);
	return status ? status : 1;
}

int store_find(struct store *store, struct str id, struct arena *arena, struct record *ret, struct err *err)
{
	int status;

	db_snapshot(&store->reader);
	status = record_find(&store->reader, id, arena, ret, err);
	db_snapshot_end(&store->reader);
	return status;
}

static int find_like(
	struct db *db, const struct id_like *like, struct arena *arena, struct record *ret, struct err *err)
{
	struct sqlite3_stmt *rows = db_statement(db, STATEMENT_FIND_LIKE);
	int status, count = 0;

	db_bind_text(rows, 1, like->begin);
	db_bind_text(rows, 2, like->project.len ? like->project : STR(""));
	db_bind_number(rows, 3, like->max);
	while ((status = db_step(db, rows, err)) == 1) {
		record_read(rows, 0, arena, &ret[count]);
		if (like->project.len)
			ret[count].created_at = db_text(rows, RECORD_COLUMN_COUNT, arena);
		count++;
	}
	for (int i = 0; i < count && !status; i++)
		status = record_read_verdicts(db, arena, &ret[i], err);
	return status ? status : count;
}

int store_find_like(
	struct store *store, const struct id_like *like, struct arena *arena, struct record *ret, struct err *err)
{
	int status;

	db_snapshot(&store->reader);
	status = find_like(&store->reader, like, arena, ret, err);
	db_snapshot_end(&store->reader);
	return status;
}

static size_t common_letters(struct str a, struct str b)
{
	size_t count = 0;

	while (count < a.len && count < b.len && a.ptr[count] == b.ptr[count])
		count++;
	return count;
}

int store_shortest(struct store *store, struct str id, size_t *ret, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct sqlite3_stmt *row;
	int status;

	*ret = ID_SHORTEST;
	db_snapshot(&store->reader);
	row = db_statement(&store->reader, STATEMENT_NEIGHBOURS);
	db_bind_text(row, 1, id);
	status = db_step(&store->reader, row, err);
	for (int i = 0; i < 2 && status == 1; i++) {
		size_t shared = common_letters(id, db_text(row, i, &arena));

		*ret = shared >= *ret ? shared + 1 : *ret;
	}
	db_stop(row);
	db_snapshot_end(&store->reader);
	arena_clear(&arena);
	return status < 0 ? status : 0;
}

/* Of a project, or of all. */
static struct sqlite3_stmt *list_statement(struct db *db, const struct str *project, const enum statement which[2])
{
	struct sqlite3_stmt *statement = db_statement(db, which[project->len > 0]);

	if (project->len)
		db_bind_text(statement, 1, *project);
	return statement;
}

static int count_rows(struct db *db, const struct str *project, uint64_t *ret, struct err *err)
{
	static const enum statement counts[] = { STATEMENT_COUNT_ALL, STATEMENT_COUNT_PROJECT };
	struct sqlite3_stmt *row = list_statement(db, project, counts);
	int status = db_step(db, row, err);

	if (status != 1)
		return status;
	*ret = db_number(row, 0);
	db_stop(row);
	return 0;
}

/* Counting looks at every row; those of all are counted again only when something has changed. */
static int count_all(struct store *store, uint64_t at, const struct str *project, uint64_t *ret, struct err *err)
{
	int status = 0;

	if (project->len)
		return count_rows(&store->reader, project, ret, err);
	if (store->counted_at != at)
		status = count_rows(&store->reader, project, &store->total, err);
	store->counted_at = status ? 0 : at;
	*ret = store->total;
	return status;
}

/* One row more than asked for shows whether there are more. */
static int list_records(
	struct db *db, const struct list_page *page, struct arena *arena, struct record_list *ret, struct err *err)
{
	static const enum statement lists[] = { STATEMENT_LIST, STATEMENT_LIST_PROJECT };
	struct sqlite3_stmt *rows = list_statement(db, &page->project, lists);
	int status, first = page->project.len > 0;

	*ret = (struct record_list){ .items = arena_alloc(arena, (page->max + 1) * sizeof(ret->items[0])) };
	db_bind_number(rows, first + 1, page->before ? page->before : INT64_MAX);
	db_bind_number(rows, first + 2, page->max + 1);
	while ((status = db_step(db, rows, err)) == 1) {
		if (ret->count == page->max) {
			ret->more = true;
			db_stop(rows);
			status = 0;
			break;
		}
		record_read(rows, 0, arena, &ret->items[ret->count++]);
	}
	for (size_t i = 0; i < ret->count && !status; i++)
		status = record_read_verdicts(db, arena, &ret->items[i], err);
	return status;
}

int store_list(struct store *store, const struct list_page *page, struct arena *arena, struct record_list *ret,
	struct err *err)
{
	uint64_t at = store_changes(store) + 1; /* of the snapshot, or before it: then it is counted once more */
	int status;

	db_snapshot(&store->reader);
	status = list_records(&store->reader, page, arena, ret, err);
	if (!status)
		status = count_all(store, at, &page->project, &ret->total, err);
	db_snapshot_end(&store->reader);
	return status;
}
