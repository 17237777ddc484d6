#include "store/keep.h"

#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "store/db.h"

/* --- runs; hold the lock */

static int add_tags(struct db *db, uint64_t number, struct str tags, struct err *err)
{
	struct str tag;
	int status = 0;

	while (tags.len && !status && str_cut(&tags, ' ', &tag)) {
		struct sqlite3_stmt *add = db_statement(db, STATEMENT_ADD_TAG);

		db_bind_text(add, 1, tag);
		db_bind_number(add, 2, number);
		status = db_step(db, add, err);
	}
	return status;
}

static int run_numbered(struct db *db, enum statement which, uint64_t number, struct err *err)
{
	struct sqlite3_stmt *statement = db_statement(db, which);

	db_bind_number(statement, 1, number);
	return db_step(db, statement, err);
}

/* Texts that are not said are "". The verdict points into words of the record. */
static void fill_run(struct run *run, char now[RECORD_TIME_BYTES])
{
	struct str *const texts[] = { &run->project, &run->model, &run->branch, &run->revision, &run->tags };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		*texts[i] = texts[i]->ptr ? *texts[i] : STR("");
	if (!run->name.len)
		run->name = run->record.name;
	record_time((uint64_t)time(NULL), now);
}

static int add_delivery(struct db *db, uint64_t run, struct err *err)
{
	struct sqlite3_stmt *add = db_statement(db, STATEMENT_ADD_DELIVERY);

	db_bind_number(add, 1, run);
	db_bind_number(add, 2, (uint64_t)time(NULL));
	return db_step(db, add, err);
}

static int add_run(struct db *db, struct run *run, struct arena *arena, struct err *err)
{
	struct sqlite3_stmt *add = db_statement(db, STATEMENT_ADD_RUN);
	const struct str *const texts[] = { &run->project, &run->name, &run->model, &run->branch, &run->revision,
		&run->tags };
	char now[RECORD_TIME_BYTES];
	int status;

	fill_run(run, now);
	run->created_at = arena_keep(arena, str_from(now));
	db_bind_number(add, 1, run->record.number);
	db_bind_text(add, 2, run->created_at);
	for (int i = 0; i < (int)ARRAY_SIZE(texts); i++)
		db_bind_text(add, 3 + i, *texts[i]);
	db_bind_number(add, 9, run->kept);
	status = db_step(db, add, err);
	if (status != 1)
		return status;
	run->number = db_number(add, 0);
	run->id = db_text(add, 1, arena);
	run->verdict = db_text(add, 2, arena);
	run->model = db_text(add, 3, arena);
	status = db_step(db, add, err);
	if (!status)
		status = run_numbered(db, STATEMENT_ADD_TEXT, run->number, err);
	if (!status)
		status = add_tags(db, run->number, run->tags, err);
	return status || !db->delivers ? status : add_delivery(db, run->number, err);
}

/* --- assessments; hold the lock */

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
	db_bind_number(add, 9, stored_bytes);
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
	db_bind_number(add, 6, (uint64_t)record->verdicts[index].readiness_lo_ppm);
	db_bind_number(add, 7, (uint64_t)record->verdicts[index].readiness_hi_ppm);
	return db_step(db, add, err);
}

static int add_blocker(
	struct db *db, const struct record *record, const struct record_blocker *blocker, struct err *err)
{
	struct sqlite3_stmt *add = db_statement(db, STATEMENT_ADD_BLOCKER);

	db_bind_number(add, 1, record->number);
	db_bind_text(add, 2, blocker->target);
	db_bind_text(add, 3, blocker->op);
	db_bind_text(add, 4, blocker->status);
	db_bind_number(add, 5, (uint64_t)blocker->share_ppm);
	return db_step(db, add, err);
}

static int add_used(struct db *db, const struct record *record, struct str name, struct err *err)
{
	struct sqlite3_stmt *add = db_statement(db, STATEMENT_ADD_USED);

	db_bind_number(add, 1, record->number);
	db_bind_text(add, 2, name);
	return db_step(db, add, err);
}

static int add_run_of(struct db *db, const struct entry *entry, struct arena *arena, struct err *err)
{
	struct run plain = { 0 }, *run = entry->run ? entry->run : &plain;

	run->record = *entry->record;
	return add_run(db, run, arena, err);
}

static int add_rows(struct db *db, const struct entry *entry, struct arena *arena, struct err *err)
{
	struct record *record = entry->record;
	int status = add_record(db, record, record->input_bytes + entry->report->packed.len, err);

	for (size_t i = 0; i < record->verdict_count && !status; i++)
		status = add_verdict(db, record, i, err);
	for (size_t i = 0; entry->run && i < entry->run->blocker_count && !status; i++)
		status = add_blocker(db, record, &entry->run->blockers[i], err);
	for (size_t i = 0; entry->run && i < entry->run->used_count && !status; i++)
		status = add_used(db, record, entry->run->used[i], err);
	if (!status)
		status = document_add(db, entry->report, err);
	if (!status && entry->waivers)
		status = document_add(db, entry->waivers, err);
	return status ? status : add_run_of(db, entry, arena, err);
}

static int add_entry(struct store *store, const struct entry *entry, struct arena *arena, struct err *err)
{
	int status = upload_keep(entry->upload, err);

	if (!status)
		status = db_begin(&store->writer, err);
	if (!status)
		status = db_end(&store->writer, add_rows(&store->writer, entry, arena, err), err);
	if (status && upload_is_kept(entry->upload))
		upload_drop_unused(store, upload_sha256(entry->upload));
	return status;
}

static int add_run_alone(struct db *db, const struct entry *entry, struct arena *arena, struct err *err)
{
	int status = db_begin(db, err);

	return status ? status : db_end(db, add_run_of(db, entry, arena, err), err);
}

static int keep_entry(struct store *store, const struct entry *entry, struct arena *arena, struct err *err)
{
	struct record existing;
	int status = record_find(&store->writer, entry->record->id, arena, &existing, err);

	if (status == 1) {
		*entry->record = existing;
		return add_run_alone(&store->writer, entry, arena, err);
	}
	if (status)
		return status;
	stamp_record(entry->record, arena);
	status = add_entry(store, entry, arena, err);
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

/* 1, or 0 when there is no such assessment. */
static int add_to(struct db *db, struct str assessment, struct arena *arena, struct run *run, struct err *err)
{
	int status = record_find(db, assessment, arena, &run->record, err);

	if (status != 1)
		return status;
	status = db_begin(db, err);
	if (!status)
		status = db_end(db, add_run(db, run, arena, err), err);
	return status ? status : 1;
}

int store_add_run(struct store *store, struct str assessment, struct arena *arena, struct run *run, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->writer.lock);
	status = add_to(&store->writer, assessment, arena, run, err);
	pthread_mutex_unlock(&store->writer.lock);
	return status;
}

/* --- changing */

static int change_rows(struct db *db, const struct run_change *change, struct err *err)
{
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_CHANGE_RUN);
	uint64_t number;
	int status;

	db_bind_text(row, 1, change->id);
	db_bind_text(row, 2, change->project.len ? change->project : STR(""));
	db_bind_text(row, 3, change->name);
	db_bind_text(row, 4, change->tags);
	if (change->kept)
		db_bind_number(row, 5, *change->kept);
	status = db_step(db, row, err);
	if (status != 1)
		return status;
	number = db_number(row, 0);
	db_stop(row);
	status = run_numbered(db, STATEMENT_DROP_TEXT, number, err);
	if (!status)
		status = run_numbered(db, STATEMENT_ADD_TEXT, number, err);
	if (!status && change->tags.ptr)
		status = run_numbered(db, STATEMENT_DROP_TAGS, number, err);
	if (!status && change->tags.ptr)
		status = add_tags(db, number, change->tags, err);
	return status ? status : 1;
}

int store_change_run(struct store *store, const struct run_change *change, struct err *err)
{
	struct db *db = &store->writer;
	int status, found = 0;

	pthread_mutex_lock(&db->lock);
	status = db_begin(db, err);
	if (!status) {
		found = change_rows(db, change, err);
		status = db_end(db, found < 0 ? found : 0, err);
	}
	pthread_mutex_unlock(&db->lock);
	return status ? status : found;
}

static struct sqlite3_stmt *of_assessment(struct db *db, enum statement which, const struct id_like *assessment)
{
	struct sqlite3_stmt *statement = db_statement(db, which);

	db_bind_text(statement, 1, assessment->begin);
	db_bind_text(statement, 2, assessment->project.len ? assessment->project : STR(""));
	return statement;
}

int store_set_kept(struct store *store, const struct id_like *assessment, bool kept, struct err *err)
{
	struct db *db = &store->writer;
	struct sqlite3_stmt *rows;
	int status, found = 0;

	pthread_mutex_lock(&db->lock);
	rows = of_assessment(db, STATEMENT_KEEP, assessment);
	db_bind_number(rows, 3, kept);
	while ((status = db_step(db, rows, err)) == 1)
		found = 1;
	pthread_mutex_unlock(&db->lock);
	return status ? status : found;
}

/* --- removing; hold the writer's lock */

static int drop_rows(struct db *db, uint64_t number, struct err *err)
{
	static const enum statement drops[] = { STATEMENT_DROP_DOCUMENTS, STATEMENT_DROP_REPORT,
		STATEMENT_DROP_VERDICTS, STATEMENT_DROP_BLOCKERS, STATEMENT_DROP };
	int status = 0;

	for (size_t i = 0; i < ARRAY_SIZE(drops) && !status; i++) {
		struct sqlite3_stmt *drop = db_statement(db, drops[i]);

		db_bind_number(drop, 1, number);
		status = db_step(db, drop, err);
	}
	return status;
}

static int drop_assessment(struct db *db, uint64_t number, struct arena *arena, struct str *ret_dump, struct err *err)
{
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_GOES);
	int status;

	db_bind_number(row, 1, number);
	status = db_step(db, row, err);
	if (status != 1)
		return status;
	*ret_dump = db_text(row, 0, arena);
	db_stop(row);
	return drop_rows(db, number, err);
}

static int drop_run(struct db *db, uint64_t number, struct err *err)
{
	int status = run_numbered(db, STATEMENT_DROP_TEXT, number, err);

	return status ? status : run_numbered(db, STATEMENT_DROP_RUN, number, err);
}

/* An assessment without runs, and the dump that may go with it. */
static int drop_without_runs(
	struct db *db, uint64_t assessment, struct arena *arena, struct str *ret_dump, struct err *err)
{
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_HAS_RUNS);
	int status;

	db_bind_number(row, 1, assessment);
	status = db_step(db, row, err);
	db_stop(row);
	if (status)
		return status < 0 ? status : 0;
	return drop_assessment(db, assessment, arena, ret_dump, err);
}

int run_remove(struct store *store, uint64_t number, bool any, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct db *db = &store->writer;
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_RUN_GOES);
	struct str dump = STR("");
	uint64_t assessment = 0;
	int status;

	db_bind_number(row, 1, number);
	status = db_step(db, row, err);
	if (status == 1) {
		assessment = db_number(row, 0);
		status = any || !db_number(row, 1);
		db_stop(row);
	}
	if (status == 1) {
		status = db_begin(db, err);
		if (!status) {
			status = drop_run(db, number, err);
			if (!status)
				status = drop_without_runs(db, assessment, &arena, &dump, err);
			status = db_end(db, status, err);
		}
		if (!status && dump.len)
			upload_drop_unused(store, dump);
		status = status ? status : 1;
	}
	arena_clear(&arena);
	return status;
}

int store_remove_run(struct store *store, struct str id, struct str project, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct run run;
	int status;

	pthread_mutex_lock(&store->writer.lock);
	status = run_find(&store->writer, &(struct id_like){ id, project, 1 }, &arena, &run, err);
	if (status == 1)
		status = str_eq(run.id, id) ? run_remove(store, run.number, true, err) : 0;
	pthread_mutex_unlock(&store->writer.lock);
	arena_clear(&arena);
	return status;
}

struct run_numbers {
	uint64_t *items;
	size_t count, capacity;
};

static int list_runs_of(struct db *db, const struct id_like *assessment, struct run_numbers *ret, struct err *err)
{
	struct sqlite3_stmt *rows = of_assessment(db, STATEMENT_RUNS_OF, assessment);
	int status;

	while ((status = db_step(db, rows, err)) == 1)
		MEM_PUSH(ret, db_number(rows, 0));
	return status;
}

int store_remove(struct store *store, const struct id_like *assessment, struct err *err)
{
	struct run_numbers numbers = { 0 };
	int status;

	pthread_mutex_lock(&store->writer.lock);
	status = list_runs_of(&store->writer, assessment, &numbers, err);
	for (size_t i = 0; i < numbers.count && status >= 0; i++)
		status = run_remove(store, numbers.items[i], true, err);
	pthread_mutex_unlock(&store->writer.lock);
	free(numbers.items);
	return status;
}
