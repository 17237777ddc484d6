#include "store/keep.h"

#include <stdlib.h>

#include "assess/model/result_parts.h"
#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "store/db.h"
#include "store/rows.h"

/* --- runs; hold the lock */

enum { LIST_VALUES = 8 }; /* of a row of a list that goes in at once */

/* Rows of one table. */
struct row_list {
	enum statement add;
	struct db_value *values;
	size_t count;
};

static struct row_list row_list(enum statement add, size_t most, struct arena *arena)
{
	return (struct row_list){ add, arena_alloc(arena, (most + 1) * LIST_VALUES * sizeof(struct db_value)) };
}

static void add_row(struct row_list *list, const struct db_value values[LIST_VALUES])
{
	memcpy(&list->values[list->count++ * LIST_VALUES], values, LIST_VALUES * sizeof(values[0]));
}
#define ROW(...) ((const struct db_value[LIST_VALUES]){ __VA_ARGS__ })

static int run_rows(struct db *db, const struct row_list *list, struct err *err)
{
	return engine_run_all(
		db->engine, list->add, &(struct value_sets){ list->values, LIST_VALUES, list->count }, err);
}

static int add_tags(struct db *db, uint64_t number, struct str tags, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct row_list list = row_list(STATEMENT_ADD_TAG, tags.len, &arena);
	struct str tag;

	while (tags.len && str_cut(&tags, ' ', &tag))
		add_row(&list, ROW(AS("tag", TEXT(tag)), AS("run", INTEGER(number))));
	return run_rows(db, &list, err);
}

/* Statements whose first parameter is the number of a run or of an assessment, one after the other. */
static int run_numbered(struct db *db, const enum statement *which, size_t count, uint64_t number, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < count && !status; i++)
		status = db_run(db, which[i], BIND(INTEGER(number)), err);
	return status;
}

static struct str time_now(struct db *db, struct arena *arena)
{
	char text[STORED_TIME_BYTES];

	stored_time(engine_now(db->engine), text);
	return arena_keep(arena, str_from(text));
}

static int answer_key(struct db *db, const struct run *run, const struct request_key *key, bool is_new, struct err *err)
{
	return db_run(db, STATEMENT_ANSWER_KEY,
		BIND(TEXT(key->owner), TEXT(key->key), INTEGER(is_new ? run->claim.status_new : run->claim.status),
			TEXT(run->id)),
		err);
}

/* A lease that was lost meanwhile: another service keeps the run. */
static int end_claimed(struct db *db, const struct run *run, bool is_new, struct arena *arena, struct err *err)
{
	const struct run_claim *claim = &run->claim;
	struct rows *end = db_bind(db, STATEMENT_END_TICKET,
		BIND(AS("status", TEXT(STR("succeeded"))), AS("code", INTEGER(0)), AS("text", TEXT(STR(""))),
			AS("hint", TEXT(STR(""))), AS("place", TEXT(STR(""))), AS("assessment", TEXT(run->record.id)),
			AS("id", TEXT(claim->ticket)), AS("holder", TEXT(claim->holder)), AS("run", TEXT(run->id)),
			AS("answer", INTEGER(is_new ? claim->status_new : claim->status))));
	struct ended_row ended = { 0 };
	int status = rows_one(end, arena, &ended, err);

	if (!status && claim->holder.len)
		return err_set(err, ERR_BUSY, "the job is over, or another service has it");
	if (status < 0 || !ended.awaited || !ended.key.owner.len)
		return status < 0 ? status : 0;
	return answer_key(db, run, &ended.key, is_new, err);
}

/* A repeated request or a resumed ticket finds the run, whenever the service ends. */
static int keep_claim(struct db *db, const struct run *run, bool is_new, struct arena *arena, struct err *err)
{
	const struct run_claim *claim = &run->claim;
	const struct request_key key = { .owner = claim->owner, .key = claim->key, .holder = claim->holder };
	int status = 0;

	if (claim->key.len)
		status = request_key_hold(db, &key, err);
	if (claim->key.len && !status)
		status = answer_key(db, run, &key, is_new, err);
	return status || !claim->ticket.len ? status : end_claimed(db, run, is_new, arena, err);
}

static int add_run(struct db *db, struct run *run, bool is_new, struct arena *arena, struct err *err)
{
	CLEANUP(buf_clear) struct buf verdicts = BUF_UNLIMITED; /* in their order */
	char id[RUN_ID_BYTES + 1];
	struct rows *add;
	int status;

	secret_random(id, RUN_ID_BYTES / 2);
	words_put(&verdicts, &verdict_words, UINT_MAX, " ");
	if (!run->name.len)
		run->name = run->record.name;
	run->name = value_text(arena, run->name);
	run->created_at = time_now(db, arena);
	add = db_bind(db, STATEMENT_ADD_RUN,
		BIND(AS("id", TEXT(str_from(id))), AS("assessment", INTEGER(run->record.number)),
			AS("created_at", TEXT(run->created_at)), AS("project", TEXT(run->project)),
			AS("name", TEXT(run->name)), AS("model", TEXT(run->model)), AS("branch", TEXT(run->branch)),
			AS("revision", TEXT(run->revision)), AS("tags", TEXT(run->tags)),
			AS("kept", INTEGER(run->kept)), AS("verdicts", TEXT(buf_str(&verdicts)))));
	status = rows_one(add, arena, run, err);
	if (!status)
		return err_set(err, ERR_BUSY, "the assessment was removed meanwhile");
	if (status == 1)
		status = db_run(db, STATEMENT_ADD_TEXT, BIND(INTEGER(run->number)), err);
	if (!status)
		status = add_tags(db, run->number, run->tags, err);
	if (!status && db->delivers)
		status = db_run(db, STATEMENT_ADD_DELIVERY,
			BIND(AS("run", INTEGER(run->number)), AS("due_at", INTEGER(engine_now(db->engine)))), err);
	return status ? status : keep_claim(db, run, is_new, arena, err);
}

/* --- assessments; hold the lock */

/* 1, or 0 when it is there. */
static int add_record(struct db *db, struct stored_assessment *record, uint64_t stored_bytes, struct err *err)
{
	return db_find_number(db, STATEMENT_ADD,
		BIND(AS("id", TEXT(record->id)), AS("created_at", TEXT(record->created_at)),
			AS("name", TEXT(record->name)), AS("input_sha256", TEXT(record->input_sha256)),
			AS("input_bytes", INTEGER(record->input_bytes)), AS("options", TEXT(record->options)),
			AS("db_sha256", TEXT(record->db_sha256)), AS("tool_version", TEXT(record->tool_version)),
			AS("stored_bytes", INTEGER(stored_bytes)), AS("basis", TEXT(record->basis)),
			AS("shown", INTEGER(record->shown_ppm))),
		&record->number, err);
}

static int add_verdicts(struct db *db, const struct stored_assessment *record, struct arena *arena, struct err *err)
{
	struct row_list list = row_list(STATEMENT_ADD_VERDICT, record->verdict_count, arena);

	for (size_t i = 0; i < record->verdict_count; i++) {
		const struct stored_verdict *verdict = &record->verdicts[i];

		add_row(&list,
			ROW(AS("assessment", INTEGER(record->number)), AS("place", INTEGER(i)),
				AS("target", TEXT(verdict->target)), AS("verdict", TEXT(verdict->verdict)),
				AS("gate", TEXT(verdict->gate)), AS("readiness_lo", INTEGER(verdict->readiness_lo_ppm)),
				AS("readiness_hi", INTEGER(verdict->readiness_hi_ppm))));
	}
	return run_rows(db, &list, err);
}

static int add_operators(
	struct db *db, uint64_t assessment, const struct run *run, struct arena *arena, struct err *err)
{
	struct row_list blockers = row_list(STATEMENT_ADD_BLOCKER, run->blocker_count, arena);
	struct row_list used = row_list(STATEMENT_ADD_USED, run->used_count, arena);
	int status;

	for (size_t i = 0; i < run->blocker_count; i++) {
		const struct stored_blocker *blocker = &run->blockers[i];

		add_row(&blockers,
			ROW(AS("assessment", INTEGER(assessment)), AS("target", TEXT(blocker->target)),
				AS("operator", TEXT(value_text(arena, blocker->op))),
				AS("status", TEXT(blocker->status)), AS("share", INTEGER(blocker->share_ppm))));
	}
	for (size_t i = 0; i < run->used_count; i++)
		add_row(&used, ROW(AS("assessment", INTEGER(assessment)),
				       AS("operator", TEXT(value_text(arena, run->used[i])))));
	status = run_rows(db, &blockers, err);
	return status ? status : run_rows(db, &used, err);
}

static int add_run_of(struct db *db, const struct entry *entry, bool is_new, struct arena *arena, struct err *err)
{
	struct run plain = { 0 }, *run = entry->run ? entry->run : &plain;

	run->record = *entry->record;
	return add_run(db, run, is_new, arena, err);
}

static int add_rows(struct store *store, const struct entry *entry, struct arena *arena, struct err *err)
{
	struct stored_assessment *record = entry->record;
	struct db *db = &store->writer;
	int status = add_verdicts(db, record, arena, err);

	if (!status && entry->run)
		status = add_operators(db, record->number, entry->run, arena, err);
	if (!status)
		status = document_add(store, entry->report, err);
	if (!status && entry->waivers)
		status = document_add(store, entry->waivers, err);
	return status ? status : add_run_of(db, entry, true, arena, err);
}

/* Another service may have added the assessment since it was looked for, or may be about to. */
static int add_rows_once(
	struct store *store, const struct entry *entry, struct arena *arena, int *ret_new, struct err *err)
{
	struct stored_assessment *record = entry->record, existing;
	struct db *db = &store->writer;
	int status = blobs_mark(store->blobs, db->engine, upload_sha256(entry->upload), err);

	record->name = value_text(arena, record->name);
	if (!status)
		status = add_record(db, record, record->input_bytes + entry->report->packed.len, err);
	*ret_new = status == 1;
	if (status == 1)
		return add_rows(store, entry, arena, err);
	if (!status)
		status = stored_find(db, record->id, arena, &existing, err);
	if (status == 1)
		*record = existing;
	return status < 0 ? status : add_run_of(db, entry, false, arena, err);
}

/* The signal follows the commit; one that is lost comes with the folding. */
static int end_adding(struct db *db, int status, struct err *err)
{
	int ended = db_end(db, status, err);
	struct err ignored;

	if (ended >= 0)
		db_run(db, STATEMENT_SIGNAL_CHANGE, BIND_NOTHING, &ignored);
	return ended;
}

static int add_entry(struct store *store, const struct entry *entry, struct arena *arena, struct err *err)
{
	int status = upload_keep(entry->upload, err), is_new = 1;

	if (!status)
		status = db_begin_adding(&store->writer, err);
	if (!status)
		status = end_adding(&store->writer, add_rows_once(store, entry, arena, &is_new, err), err);
	if (status && upload_is_kept(entry->upload))
		upload_drop_unused(store, upload_sha256(entry->upload));
	return status ? status : is_new;
}

static int add_run_alone(struct db *db, const struct entry *entry, struct arena *arena, struct err *err)
{
	int status = db_begin_adding(db, err);

	return status ? status : end_adding(db, add_run_of(db, entry, false, arena, err), err);
}

static int keep_once(struct store *store, const struct entry *entry, struct arena *arena, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	struct stored_assessment existing;
	int status = stored_find(db, entry->record->id, arena, &existing, err);

	if (status == 1) {
		*entry->record = existing;
		return add_run_alone(db, entry, arena, err);
	}
	if (status)
		return status;
	entry->record->created_at = time_now(db, arena);
	return add_entry(store, entry, arena, err);
}

int store_keep(struct store *store, const struct entry *entry, struct arena *arena, struct err *err)
{
	int status = upload_sync(entry->upload, err);

	if (!status)
		status = document_put(store, entry->report, err);
	if (!status && entry->waivers)
		status = document_put(store, entry->waivers, err);
	return status ? status : keep_once(store, entry, arena, err);
}

int store_add_run(struct store *store, struct str assessment, struct arena *arena, struct run *run, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	int status = stored_find(db, assessment, arena, &run->record, err);

	if (status != 1)
		return status;
	status = db_begin_adding(db, err);
	if (!status)
		status = end_adding(db, add_run(db, run, false, arena, err), err);
	return status ? status : 1;
}

/* --- changing */

static int change_rows(struct db *db, const struct run_change *change, struct err *err)
{
	static const enum statement text_again[] = { STATEMENT_DROP_TEXT, STATEMENT_ADD_TEXT };
	uint64_t number;
	int status = db_find_number(db, STATEMENT_CHANGE_RUN,
		BIND(TEXT(change->id), TEXT(change->project), TEXT_OR_NULL(change->name), TEXT_OR_NULL(change->tags),
			INTEGER_OR_NULL(change->kept)),
		&number, err);

	if (status != 1)
		return status;
	status = run_numbered(db, text_again, ARRAY_SIZE(text_again), number, err);
	if (!status && change->tags.ptr)
		status = db_run(db, STATEMENT_DROP_TAGS, BIND(INTEGER(number)), err);
	if (!status && change->tags.ptr)
		status = add_tags(db, number, change->tags, err);
	return status ? status : 1;
}

int store_change_run(struct store *store, const struct run_change *change, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	int status = db_begin(db, err);

	return status ? status : db_end(db, change_rows(db, change, err), err);
}

int store_set_kept(struct store *store, const struct id_like *assessment, bool kept, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	struct rows *rows = db_bind(
		db, STATEMENT_KEEP, BIND(TEXT(assessment->begin), TEXT(assessment->project), INTEGER(kept)));
	int status, found = 0;

	while ((status = rows_step(rows, err)) == 1)
		found = 1;
	return status ? status : found;
}

/* --- removing; hold the writer's lock */

static int drop_assessment(
	struct store *store, uint64_t number, struct arena *arena, struct str *ret_dump, struct err *err)
{
	static const enum statement drops[] = { STATEMENT_DROP_REPORT, STATEMENT_DROP_VERDICTS, STATEMENT_DROP_BLOCKERS,
		STATEMENT_DROP };
	struct db *db = &store->writer;
	struct text_row dump;
	int status = rows_one(db_bind(db, STATEMENT_GOES, BIND(INTEGER(number))), arena, &dump, err);

	if (status != 1)
		return status;
	*ret_dump = dump.text;
	status = document_release(store, db_bind(db, STATEMENT_DROP_DOCUMENTS, BIND(INTEGER(number))), err);
	return status ? status : run_numbered(db, drops, ARRAY_SIZE(drops), number, err);
}

struct doomed_run {
	uint64_t number, assessment;
	struct str dump; /* that goes with the assessment, when this was its last run */
};

static int drop_run(struct store *store, struct doomed_run *run, struct arena *arena, struct err *err)
{
	static const enum statement drops[] = { STATEMENT_DROP_TEXT, STATEMENT_DROP_RUN };
	struct db *db = &store->writer;
	int status = run_numbered(db, drops, ARRAY_SIZE(drops), run->number, err);

	if (status)
		return status;
	status = db_run(db, STATEMENT_HAS_RUNS, BIND(INTEGER(run->assessment)), err);
	if (!status)
		status = drop_assessment(store, run->assessment, arena, &run->dump, err);
	if (!status)
		status = blobs_release(store->blobs, db->engine, run->dump, err);
	return status < 0 ? status : 1;
}

/* A request may keep it meanwhile. */
static int drop_removable(struct store *store, struct doomed_run *run, bool any, struct arena *arena, struct err *err)
{
	struct removable_row removable = { 0 };
	int status = rows_one(
		db_bind(&store->writer, STATEMENT_RUN_GOES, BIND(INTEGER(run->number))), NULL, &removable, err);

	if (status != 1)
		return status;
	run->assessment = removable.assessment;
	return removable.kept && !any ? 0 : drop_run(store, run, arena, err);
}

int run_remove(struct store *store, uint64_t number, bool any, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct db *db = &store->writer;
	struct doomed_run run = { .number = number };
	int status = db_begin(db, err);

	if (!status)
		status = db_end(db, drop_removable(store, &run, any, &arena, err), err);
	if (status == 1 && run.dump.len)
		upload_drop_unused(store, run.dump);
	return status;
}

int store_remove_run(struct store *store, struct str id, struct str project, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	struct run run;
	int status = run_find(db, &(struct id_like){ id, project, 1 }, &arena, &run, err);

	if (status != 1)
		return status;
	return str_eq(run.id, id) ? run_remove(store, run.number, true, err) : 0;
}

int store_remove(struct store *store, const struct id_like *assessment, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	struct db_numbers runs = { 0 };
	int status;

	status = db_list_numbers(
		db_bind(db, STATEMENT_RUNS_OF, BIND(TEXT(assessment->begin), TEXT(assessment->project))), &runs, err);
	for (size_t i = 0; i < runs.count && status >= 0; i++)
		status = run_remove(store, runs.items[i], true, err);
	free(runs.items);
	return status;
}
