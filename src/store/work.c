#include "store/work.h"

#include "base/memory/mem.h"
#include "store/db.h"
#include "store/pool.h"
#include "store/rows.h"

bool store_is_shared(const struct store *store)
{
	return store->place.url;
}

/* --- handing over */

int store_count_work(struct store *store, struct str caller, struct work_count *ret, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_reader(store);
	int status = rows_one(db_bind(db, STATEMENT_WORK_COUNT, BIND(TEXT(caller))), NULL, ret, err);

	return status < 0 ? status : 0;
}

static int add_work(struct store *store, const struct work_entry *entry, struct arena *arena, struct err *err)
{
	const struct ticket *ticket = &entry->ticket;
	struct db *db = &store->writer;
	char now[STORED_TIME_BYTES];
	int status = blobs_mark(store->blobs, db->engine, ticket->input_sha256, err);

	stored_time(engine_now(db->engine), now);
	if (!status)
		status = request_key_hold(db, &ticket->key, err);
	if (!status)
		status = db_run(db, STATEMENT_ADD_WORK,
			BIND(AS("id", TEXT(ticket->id)), AS("created_at", TEXT(str_from(now))),
				AS("assessment", TEXT(ticket->assessment)),
				AS("input_sha256", TEXT(ticket->input_sha256)), AS("asked", BYTES(ticket->asked)),
				AS("project", TEXT(ticket->project)), AS("name", TEXT(value_text(arena, entry->name))),
				AS("owner", TEXT(value_text(arena, entry->owner))),
				AS("caller", TEXT(value_text(arena, entry->caller))), AS("facts", TEXT(entry->facts)),
				AS("input_bytes", INTEGER(entry->input_bytes)), AS("awaited", INTEGER(entry->awaited)),
				AS("key_owner", TEXT(ticket->key.owner)), AS("key", TEXT(ticket->key.key))),
			err);
	return status || entry->awaited || !ticket->key.owner.len ? status : request_key_answer(db, &ticket->key, err);
}

int store_add_work(struct store *store, const struct work_entry *entry, struct upload *upload, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	int status = upload_sync(upload, err);
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);

	if (!status)
		status = upload_keep(upload, err);
	if (!status)
		status = db_begin_adding(db, err);
	return status ? status : db_end(db, add_work(store, entry, &arena, err), err);
}

static int acknowledge(struct db *db, struct str ticket, unsigned status, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct ended_row ended = { 0 };
	int found = rows_one(db_bind(db, STATEMENT_ACKNOWLEDGE_WORK, BIND(TEXT(ticket))), &arena, &ended, err);

	if (found != 1)
		return found;
	ended.key.status = status;
	ended.key.answer = ticket;
	return ended.key.owner.len && request_key_answer(db, &ended.key, err) ? -err->code : 1;
}

int store_acknowledge_work(struct store *store, struct str ticket, unsigned status, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	int begun = db_begin_adding(db, err);

	return begun ? begun : db_end(db, acknowledge(db, ticket, status, err), err);
}

/* --- claiming */

int store_list_work(struct store *store, struct arena *arena, struct work_list *ret, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_reader(store);
	struct rows *rows = db_bind(db, STATEMENT_WORK, BIND(INTEGER(WORK_MOST)));
	MEM_LIST(struct work_item) list = { 0 };
	struct work_item item;
	int status;

	while ((status = rows_step(rows, err)) == 1) {
		rows_read(rows, arena, &item);
		MEM_PUSH(&list, item);
	}
	ret->count = list.count;
	ret->items = db_keep_items(arena, list.items, list.count, sizeof(list.items[0]));
	return status;
}

int store_claim_work(
	struct store *store, const struct lease *lease, struct arena *arena, struct ticket *ret, struct err *err)
{
	int status = store_claim(store, STATEMENT_CLAIM_WORK,
		BIND(TEXT(ret->id), TEXT(lease->holder), INTEGER(lease->until), INTEGER(lease->now)), err);

	return status == 1 ? store_find_ticket(store, ret, arena, err) : status;
}

int store_hold_work(
	struct store *store, struct str ticket, const struct lease *lease, uint64_t read_bytes, struct err *err)
{
	return store_claim(store, STATEMENT_HOLD_WORK,
		BIND(TEXT(ticket), TEXT(lease->holder), INTEGER(lease->until), INTEGER(read_bytes)), err);
}
