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
	ret->project = db_text(row, 9, arena);
	ret->kept = db_number(row, 10) != 0;
}

struct verdicts {
	struct record_verdict *items;
	size_t count, capacity;
};

static int read_verdicts(struct db *db, struct arena *arena, struct record *record, struct err *err)
{
	struct sqlite3_stmt *rows = db_statement(db, STATEMENT_VERDICTS);
	struct verdicts found = { 0 };
	int status;

	db_bind_number(rows, 1, record->number);
	while ((status = db_step(db, rows, err)) == 1)
		MEM_PUSH(&found, ((struct record_verdict){
					 db_text(rows, 0, arena), db_text(rows, 1, arena), db_text(rows, 2, arena) }));
	record->verdicts = arena_alloc(arena, (found.count + 1) * sizeof(found.items[0]));
	if (found.count)
		memcpy(record->verdicts, found.items, found.count * sizeof(found.items[0]));
	record->verdict_count = found.count;
	mem_release(&found.items);
	return status;
}

static int find_record(struct db *db, struct str id, struct arena *arena, struct record *ret, struct err *err)
{
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_FIND);
	int status;

	db_bind_text(row, 1, id);
	status = db_step(db, row, err);
	if (status != 1)
		return status;
	read_columns(row, arena, ret);
	db_stop(row);
	status = read_verdicts(db, arena, ret, err);
	return status ? status : 1;
}

int store_find(struct store *store, struct str id, struct arena *arena, struct record *ret, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->reader.lock);
	status = find_record(&store->reader, id, arena, ret, err);
	pthread_mutex_unlock(&store->reader.lock);
	return status;
}

static int count_all(struct db *db, uint64_t *ret, struct err *err)
{
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_COUNT_ALL);
	int status = db_step(db, row, err);

	if (status != 1)
		return status;
	*ret = db_number(row, 0);
	db_stop(row);
	return 0;
}

/* One row more than wanted tells whether there are more. */
static int list_records(
	struct db *db, const struct list_page *page, struct arena *arena, struct record_list *ret, struct err *err)
{
	struct sqlite3_stmt *rows = db_statement(db, STATEMENT_LIST);
	int status;

	*ret = (struct record_list){ .items = arena_alloc(arena, (page->max + 1) * sizeof(ret->items[0])) };
	db_bind_number(rows, 1, page->before ? page->before : INT64_MAX);
	db_bind_number(rows, 2, page->max + 1);
	while ((status = db_step(db, rows, err)) == 1) {
		if (ret->count == page->max) {
			ret->more = true;
			db_stop(rows);
			status = 0;
			break;
		}
		read_columns(rows, arena, &ret->items[ret->count++]);
	}
	for (size_t i = 0; i < ret->count && !status; i++)
		status = read_verdicts(db, arena, &ret->items[i], err);
	return status ? status : count_all(db, &ret->total, err);
}

int store_list(struct store *store, const struct list_page *page, struct arena *arena, struct record_list *ret,
	struct err *err)
{
	int status;

	pthread_mutex_lock(&store->reader.lock);
	status = list_records(&store->reader, page, arena, ret, err);
	pthread_mutex_unlock(&store->reader.lock);
	return status;
}

/* --- adding; hold the lock */

void record_time(uint64_t seconds, char ret[RECORD_TIME_BYTES])
{
	time_t time = (time_t)seconds;
	struct tm parts = { 0 };

	gmtime_r(&time, &parts);
	strftime(ret, RECORD_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

static void stamp_record(struct record *record, struct arena *arena)
{
	char text[RECORD_TIME_BYTES];

	record_time((uint64_t)time(NULL), text);
	record->created_at = arena_keep(arena, str_from(text));
}

static int add_record(struct db *db, struct record *record, uint64_t stored_bytes, struct err *err)
{
	struct sqlite3_stmt *add = db_statement(db, STATEMENT_ADD);
	int status;

	db_bind_text(add, 1, record->id);
	db_bind_text(add, 2, record->created_at);
	db_bind_text(add, 3, record->name);
	db_bind_text(add, 4, record->input_sha256);
	db_bind_number(add, 5, record->input_bytes);
	db_bind_text(add, 6, record->options);
	db_bind_text(add, 7, record->db_sha256);
	db_bind_text(add, 8, record->tool_version);
	db_bind_text(add, 9, record->project.ptr ? record->project : STR(""));
	db_bind_number(add, 10, record->kept);
	db_bind_number(add, 11, stored_bytes);
	status = db_step(db, add, err);
	if (status != 1)
		return status;
	record->number = db_number(add, 0);
	return db_step(db, add, err);
}

static int add_verdict(struct db *db, const struct record *record, size_t index, struct err *err)
{
	struct sqlite3_stmt *add = db_statement(db, STATEMENT_ADD_VERDICT);

	db_bind_number(add, 1, record->number);
	db_bind_number(add, 2, index);
	db_bind_text(add, 3, record->verdicts[index].target);
	db_bind_text(add, 4, record->verdicts[index].verdict);
	db_bind_text(add, 5, record->verdicts[index].gate);
	return db_step(db, add, err);
}

static int add_rows(struct db *db, const struct entry *entry, struct err *err)
{
	struct record *record = entry->record;
	int status = add_record(db, record, record->input_bytes + entry->report->packed.len, err);

	for (size_t i = 0; i < record->verdict_count && !status; i++)
		status = add_verdict(db, record, i, err);
	return status ? status : document_add(db, entry->report, err);
}

static int add_entry(struct store *store, const struct entry *entry, struct err *err)
{
	int status = upload_keep(entry->upload, err);

	if (!status)
		status = db_begin(&store->writer, err);
	if (!status)
		status = db_end(&store->writer, add_rows(&store->writer, entry, err), err);
	if (status && upload_is_kept(entry->upload))
		upload_drop_unused(store, upload_sha256(entry->upload));
	return status;
}

static int keep_entry(struct store *store, const struct entry *entry, struct arena *arena, struct err *err)
{
	struct record existing;
	int status = find_record(&store->writer, entry->record->id, arena, &existing, err);

	if (status == 1)
		*entry->record = existing;
	if (status)
		return status == 1 ? 0 : status;
	stamp_record(entry->record, arena);
	status = add_entry(store, entry, err);
	return status ? status : 1;
}

int store_keep(struct store *store, const struct entry *entry, struct arena *arena, struct err *err)
{
	int status = upload_sync(entry->upload, err);

	if (status)
		return status;
	pthread_mutex_lock(&store->writer.lock);
	status = keep_entry(store, entry, arena, err);
	pthread_mutex_unlock(&store->writer.lock);
	return status;
}

/* --- what becomes of it */

int store_set_kept(struct store *store, struct str id, bool kept, struct err *err)
{
	struct sqlite3_stmt *row;
	int status;

	pthread_mutex_lock(&store->writer.lock);
	row = db_statement(&store->writer, STATEMENT_KEEP);
	db_bind_text(row, 1, id);
	db_bind_number(row, 2, kept);
	status = db_step(&store->writer, row, err);
	if (status == 1)
		db_stop(row);
	pthread_mutex_unlock(&store->writer.lock);
	return status;
}

static int drop_rows(struct db *db, uint64_t number, struct err *err)
{
	static const enum statement drops[] = { STATEMENT_DROP_DOCUMENTS, STATEMENT_DROP_REPORT,
		STATEMENT_DROP_VERDICTS, STATEMENT_DROP };
	int status = 0;

	for (size_t i = 0; i < ARRAY_SIZE(drops) && !status; i++) {
		struct sqlite3_stmt *drop = db_statement(db, drops[i]);

		db_bind_number(drop, 1, number);
		status = db_step(db, drop, err);
	}
	return status;
}

int record_remove(struct store *store, uint64_t number, bool any, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct db *db = &store->writer;
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_GOES);
	struct str dump = STR("");
	int status;

	db_bind_number(row, 1, number);
	status = db_step(db, row, err);
	if (status == 1) {
		dump = db_text(row, 0, &arena);
		status = any || !db_number(row, 1);
		db_stop(row);
	}
	if (status == 1) {
		status = db_begin(db, err);
		if (!status)
			status = db_end(db, drop_rows(db, number, err), err);
		if (!status)
			upload_drop_unused(store, dump);
		status = status ? status : 1;
	}
	arena_clear(&arena);
	return status;
}

int store_remove(struct store *store, struct str id, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct record record;
	int status;

	pthread_mutex_lock(&store->writer.lock);
	status = find_record(&store->writer, id, &arena, &record, err);
	if (status == 1)
		status = record_remove(store, record.number, true, err);
	pthread_mutex_unlock(&store->writer.lock);
	arena_clear(&arena);
	return status;
}
