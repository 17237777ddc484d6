#include "store/record.h"

#include <time.h>

#include "base/mem.h"
#include "base/sha256.h"
#include "io/gunzip.h"
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
	struct db *db, uint64_t before, size_t max, struct arena *arena, struct record_list *ret, struct err *err)
{
	struct sqlite3_stmt *rows = db_statement(db, STATEMENT_LIST);
	int status;

	*ret = (struct record_list){ .items = arena_alloc(arena, (max + 1) * sizeof(ret->items[0])) };
	db_bind_number(rows, 1, before ? before : INT64_MAX);
	db_bind_number(rows, 2, max + 1);
	while ((status = db_step(db, rows, err)) == 1) {
		if (ret->count == max) {
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

int store_list(
	struct store *store, uint64_t before, size_t max, struct arena *arena, struct record_list *ret, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->reader.lock);
	status = list_records(&store->reader, before, max, arena, ret, err);
	pthread_mutex_unlock(&store->reader.lock);
	return status;
}

/* --- documents */

static void digest_of(struct str bytes, char ret[SHA256_HEX_BYTES])
{
	struct sha256 *sha = sha256_new();

	sha256_add(sha, bytes);
	sha256_end(sha, ret);
}

/* A report of version 1, which has no checksum. */
static int find_plain(struct db *db, struct stored_document *document, struct arena *arena, struct err *err)
{
	CLEANUP(buf_clear) struct buf packed = BUF_UNLIMITED;
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_REPORT);
	struct str json;
	int status;

	db_bind_text(row, 1, document->id);
	status = db_step(db, row, err);
	if (status != 1)
		return status;
	json = db_text(row, 0, arena);
	db_stop(row);
	if (!gzip_pack(json, &packed))
		return err_set(err, ERR_STORE, "cannot compress a report");
	document->bytes = json.len;
	document->packed = arena_keep(arena, buf_str(&packed));
	return 1;
}

static int find_document(struct db *db, struct stored_document *document, struct arena *arena, struct err *err)
{
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_DOCUMENT);
	char digest[SHA256_HEX_BYTES];
	struct str kept;
	int status;

	db_bind_text(row, 1, document->id);
	db_bind_text(row, 2, document->form);
	status = db_step(db, row, err);
	if (status == 0 && str_eq(document->form, STR("json")))
		return find_plain(db, document, arena, err);
	if (status != 1)
		return status;
	document->bytes = db_number(row, 0);
	kept = db_text(row, 1, arena);
	document->packed = db_text(row, 2, arena);
	db_stop(row);
	digest_of(document->packed, digest);
	if (str_eq(kept, str_from(digest)))
		return 1;
	err_set(err, ERR_STORE_DAMAGED, "the %.*s of assessment %.*s is not what was stored", STR_ARG(document->form),
		STR_ARG(document->id));
	return err_file(err, db->directory);
}

int store_document(struct store *store, struct stored_document *document, struct arena *arena, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->reader.lock);
	status = find_document(&store->reader, document, arena, err);
	pthread_mutex_unlock(&store->reader.lock);
	return status;
}

static int add_document(struct db *db, const struct stored_document *document, struct err *err)
{
	struct sqlite3_stmt *add = db_statement(db, STATEMENT_ADD_DOCUMENT);
	char digest[SHA256_HEX_BYTES];

	digest_of(document->packed, digest);
	db_bind_text(add, 1, document->form);
	db_bind_number(add, 2, document->bytes);
	db_bind_text(add, 3, str_from(digest));
	db_bind_bytes(add, 4, document->packed);
	db_bind_text(add, 5, document->id);
	return db_step(db, add, err);
}

int store_keep_document(struct store *store, const struct stored_document *document, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->writer.lock);
	status = add_document(&store->writer, document, err);
	pthread_mutex_unlock(&store->writer.lock);
	return status;
}

/* --- adding; hold the lock */

void record_time(char ret[RECORD_TIME_BYTES])
{
	time_t now = time(NULL);
	struct tm parts;

	gmtime_r(&now, &parts);
	strftime(ret, RECORD_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

static void stamp_record(struct record *record, struct arena *arena)
{
	char text[RECORD_TIME_BYTES];

	record_time(text);
	record->created_at = arena_keep(arena, str_from(text));
}

static int add_record(struct db *db, struct record *record, struct err *err)
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

static int add_rows(struct db *db, struct record *record, const struct stored_document *report, struct err *err)
{
	int status = add_record(db, record, err);

	for (size_t i = 0; i < record->verdict_count && !status; i++)
		status = add_verdict(db, record, i, err);
	return status ? status : add_document(db, report, err);
}

static int in_transaction(struct db *db, struct record *record, const struct stored_document *report, struct err *err)
{
	struct err ignored;
	int status = db_step(db, db_statement(db, STATEMENT_BEGIN), err);

	if (status)
		return status;
	status = add_rows(db, record, report, err);
	if (!status)
		status = db_step(db, db_statement(db, STATEMENT_COMMIT), err);
	if (status) /* SQLite may have rolled back by itself already, which makes this one fail */
		db_step(db, db_statement(db, STATEMENT_ROLLBACK), &ignored);
	return status;
}

/* No assessment may come to be for the dump: a file that nothing names goes. */
static void drop_unused(struct db *db, struct upload *upload)
{
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_INPUT_USED);
	struct err ignored;

	db_bind_text(row, 1, upload_sha256(upload));
	if (db_step(db, row, &ignored) == 0)
		upload_drop(upload);
	db_stop(row);
}

static int keep_record(struct store *store, struct record *record, const struct stored_document *report,
	struct upload *upload, struct arena *arena, struct err *err)
{
	struct record existing;
	int status = find_record(&store->writer, record->id, arena, &existing, err);

	if (status == 1)
		*record = existing;
	if (status)
		return status == 1 ? 0 : status;
	stamp_record(record, arena);
	status = upload_keep(upload, err);
	if (!status)
		status = in_transaction(&store->writer, record, report, err);
	if (status && upload_is_kept(upload))
		drop_unused(&store->writer, upload);
	return status ? status : 1;
}

int store_keep(struct store *store, struct record *record, const struct stored_document *report, struct upload *upload,
	struct arena *arena, struct err *err)
{
	int status = upload_sync(upload, err);

	if (status)
		return status;
	pthread_mutex_lock(&store->writer.lock);
	status = keep_record(store, record, report, upload, arena, err);
	pthread_mutex_unlock(&store->writer.lock);
	return status;
}
