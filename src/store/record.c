#include "store/record.h"

#include <time.h>

#include "base/mem.h"
#include "store/db.h"

/* --- reading; hold the lock */

static void read_columns(struct sqlite3_stmt *row, struct arena *arena, struct record *ret)
{
	*ret = (struct record){ .number = db_number(row, 0), .input_bytes = db_number(row, 5) };
	ret->id = db_text(row, 1, arena);
	ret->created_at = db_text(row, 2, arena);
	ret->name = db_text(row, 3, arena);
	ret->input_sha256 = db_text(row, 4, arena);
	ret->options = db_text(row, 6, arena);
	ret->db_sha256 = db_text(row, 7, arena);
	ret->tool_version = db_text(row, 8, arena);
}

struct verdicts {
	struct record_verdict *items;
	size_t count, capacity;
};

static int read_verdicts(struct store *store, struct arena *arena, struct record *record, struct err *err)
{
	struct sqlite3_stmt *rows = db_statement(store, STATEMENT_VERDICTS);
	struct verdicts found = { 0 };
	int status;

	db_bind_number(rows, 1, record->number);
	while ((status = db_step(store, rows, err)) == 1)
		MEM_PUSH(&found, ((struct record_verdict){
					 db_text(rows, 0, arena), db_text(rows, 1, arena), db_text(rows, 2, arena) }));
	record->verdicts = arena_alloc(arena, (found.count + 1) * sizeof(found.items[0]));
	if (found.count)
		memcpy(record->verdicts, found.items, found.count * sizeof(found.items[0]));
	record->verdict_count = found.count;
	mem_release(&found.items);
	return status;
}

static int find_record(struct store *store, struct str id, struct arena *arena, struct record *ret, struct err *err)
{
	struct sqlite3_stmt *row = db_statement(store, STATEMENT_FIND);
	int status;

	db_bind_text(row, 1, id);
	status = db_step(store, row, err);
	if (status != 1)
		return status;
	read_columns(row, arena, ret);
	db_stop(row);
	status = read_verdicts(store, arena, ret, err);
	return status ? status : 1;
}

int store_find(struct store *store, struct str id, struct arena *arena, struct record *ret, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->lock);
	status = find_record(store, id, arena, ret, err);
	pthread_mutex_unlock(&store->lock);
	return status;
}

static int count_all(struct store *store, uint64_t *ret, struct err *err)
{
	struct sqlite3_stmt *row = db_statement(store, STATEMENT_COUNT_ALL);
	int status = db_step(store, row, err);

	if (status != 1)
		return status;
	*ret = db_number(row, 0);
	db_stop(row);
	return 0;
}

/* One row more than wanted tells whether there are more. */
static int list_records(
	struct store *store, uint64_t before, size_t max, struct arena *arena, struct record_list *ret, struct err *err)
{
	struct sqlite3_stmt *rows = db_statement(store, STATEMENT_LIST);
	int status;

	*ret = (struct record_list){ .items = arena_alloc(arena, (max + 1) * sizeof(ret->items[0])) };
	db_bind_number(rows, 1, before ? before : INT64_MAX);
	db_bind_number(rows, 2, max + 1);
	while ((status = db_step(store, rows, err)) == 1) {
		if (ret->count == max) {
			ret->more = true;
			db_stop(rows);
			status = 0;
			break;
		}
		read_columns(rows, arena, &ret->items[ret->count++]);
	}
	for (size_t i = 0; i < ret->count && !status; i++)
		status = read_verdicts(store, arena, &ret->items[i], err);
	return status ? status : count_all(store, &ret->total, err);
}

int store_list(
	struct store *store, uint64_t before, size_t max, struct arena *arena, struct record_list *ret, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->lock);
	status = list_records(store, before, max, arena, ret, err);
	pthread_mutex_unlock(&store->lock);
	return status;
}

int store_report(struct store *store, struct str id, struct buf *ret, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct sqlite3_stmt *row;
	int status;

	pthread_mutex_lock(&store->lock);
	row = db_statement(store, STATEMENT_REPORT);
	db_bind_text(row, 1, id);
	status = db_step(store, row, err);
	if (status == 1) {
		buf_add(ret, db_text(row, 0, &arena));
		db_stop(row);
	}
	pthread_mutex_unlock(&store->lock);
	arena_clear(&arena);
	return status;
}

/* --- adding; hold the lock */

static void stamp_record(struct record *record, struct arena *arena)
{
	time_t now = time(NULL);
	struct tm parts;
	char text[32];

	gmtime_r(&now, &parts);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
	record->created_at = arena_keep(arena, str_from(text));
}

static int add_record(struct store *store, struct record *record, struct err *err)
{
	struct sqlite3_stmt *add = db_statement(store, STATEMENT_ADD);
	int status;

	db_bind_text(add, 1, record->id);
	db_bind_text(add, 2, record->created_at);
	db_bind_text(add, 3, record->name);
	db_bind_text(add, 4, record->input_sha256);
	db_bind_number(add, 5, record->input_bytes);
	db_bind_text(add, 6, record->options);
	db_bind_text(add, 7, record->db_sha256);
	db_bind_text(add, 8, record->tool_version);
	status = db_step(store, add, err);
	if (status != 1)
		return status;
	record->number = db_number(add, 0);
	return db_step(store, add, err);
}

static int add_verdict(struct store *store, const struct record *record, size_t index, struct err *err)
{
	struct sqlite3_stmt *add = db_statement(store, STATEMENT_ADD_VERDICT);

	db_bind_number(add, 1, record->number);
	db_bind_number(add, 2, index);
	db_bind_text(add, 3, record->verdicts[index].target);
	db_bind_text(add, 4, record->verdicts[index].verdict);
	db_bind_text(add, 5, record->verdicts[index].gate);
	return db_step(store, add, err);
}

static int add_report(struct store *store, const struct record *record, struct str report, struct err *err)
{
	struct sqlite3_stmt *add = db_statement(store, STATEMENT_ADD_REPORT);

	db_bind_number(add, 1, record->number);
	db_bind_text(add, 2, report);
	return db_step(store, add, err);
}

static int add_rows(struct store *store, struct record *record, struct str report, struct err *err)
{
	int status = add_record(store, record, err);

	for (size_t i = 0; i < record->verdict_count && !status; i++)
		status = add_verdict(store, record, i, err);
	return status ? status : add_report(store, record, report, err);
}

static int in_transaction(struct store *store, struct record *record, struct str report, struct err *err)
{
	struct err ignored;
	int status = db_step(store, db_statement(store, STATEMENT_BEGIN), err);

	if (status)
		return status;
	status = add_rows(store, record, report, err);
	if (!status)
		status = db_step(store, db_statement(store, STATEMENT_COMMIT), err);
	if (status) /* SQLite may have rolled back by itself already, which makes this one fail */
		db_step(store, db_statement(store, STATEMENT_ROLLBACK), &ignored);
	return status;
}

/* No assessment may come to be for the dump: a file that nothing names goes. */
static void drop_unused(struct store *store, struct upload *upload)
{
	struct sqlite3_stmt *row = db_statement(store, STATEMENT_INPUT_USED);
	struct err ignored;

	db_bind_text(row, 1, upload_sha256(upload));
	if (db_step(store, row, &ignored) == 0)
		upload_drop(upload);
	db_stop(row);
}

static int keep_record(struct store *store, struct record *record, struct str report, struct upload *upload,
	struct arena *arena, struct err *err)
{
	struct record existing;
	int status = find_record(store, record->id, arena, &existing, err);

	if (status == 1)
		*record = existing;
	if (status)
		return status == 1 ? 0 : status;
	stamp_record(record, arena);
	status = upload_keep(upload, err);
	if (!status)
		status = in_transaction(store, record, report, err);
	if (status && upload_is_kept(upload))
		drop_unused(store, upload);
	return status ? status : 1;
}

int store_keep(struct store *store, struct record *record, struct str report, struct upload *upload,
	struct arena *arena, struct err *err)
{
	int status = upload_sync(upload, err);

	if (status)
		return status;
	pthread_mutex_lock(&store->lock);
	status = keep_record(store, record, report, upload, arena, err);
	pthread_mutex_unlock(&store->lock);
	return status;
}
