#include "store/ticket.h"

#include <stdio.h>

#include "base/memory/mem.h"
#include "store/db.h"
#include "store/pool.h"
#include "store/rows.h"

static int find_ticket(struct db *db, struct ticket *ticket, struct arena *arena, struct err *err)
{
	struct rows *row = db_bind(db, STATEMENT_TICKET, BIND(TEXT(ticket->id), INTEGER(engine_now(db->engine))));
	struct ticket_row found = { .ticket.id = ticket->id };
	int status = rows_one(row, arena, &found, err);

	if (status != 1)
		return status;
	*ticket = found.ticket;
	ticket->err.code = (int)found.code;
	snprintf(ticket->err.text, sizeof(ticket->err.text), "%.*s", STR_ARG(found.text));
	snprintf(ticket->err.hint, sizeof(ticket->err.hint), "%.*s", STR_ARG(found.hint));
	snprintf(ticket->err.where, sizeof(ticket->err.where), "%.*s", STR_ARG(found.place));
	return 1;
}

int store_find_ticket(struct store *store, struct ticket *ticket, struct arena *arena, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_reader(store);

	return find_ticket(db, ticket, arena, err);
}

static int add_ticket(struct store *store, const struct ticket *ticket, const struct lease *lease, struct err *err)
{
	struct db *db = &store->writer;
	char now[STORED_TIME_BYTES];
	int status = blobs_mark(store->blobs, db->engine, ticket->input_sha256, err);

	stored_time(lease->now, now);
	if (!status)
		status = db_run(db, STATEMENT_ADD_TICKET,
			BIND(AS("id", TEXT(ticket->id)), AS("created_at", TEXT(str_from(now))),
				AS("assessment", TEXT(ticket->assessment)),
				AS("input_sha256", TEXT(ticket->input_sha256)), AS("asked", BYTES(ticket->asked)),
				AS("holder", TEXT(lease->holder)), AS("held_until", INTEGER(lease->until)),
				AS("project", TEXT(ticket->project)), AS("owner", TEXT(ticket->owner))),
			err);
	if (!status)
		status = request_key_hold(db, &ticket->key, err);
	return status || !ticket->key.owner.len ? status : request_key_answer(db, &ticket->key, err);
}

int store_keep_ticket(
	struct store *store, struct ticket *ticket, struct upload *upload, const struct lease *lease, struct err *err)
{
	int status = upload_sync(upload, err);
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);

	if (!status)
		status = upload_keep(upload, err);
	if (!status)
		status = db_begin_adding(db, err);
	if (!status)
		status = db_end(db, add_ticket(store, ticket, lease, err), err);
	if (status && upload_is_kept(upload))
		upload_drop_unused(store, ticket->input_sha256);
	ticket->created_at = STR("");
	return status;
}

static int end_ticket(struct store *store, const struct ticket *ticket, struct str holder, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct db *db = &store->writer;
	struct rows *end = db_bind(db, STATEMENT_END_TICKET,
		BIND(AS("status", TEXT(ticket->status)), AS("code", INTEGER(ticket->err.code)),
			AS("text", TEXT(value_text(&arena, str_from(ticket->err.text)))),
			AS("hint", TEXT(value_text(&arena, str_from(ticket->err.hint)))),
			AS("place", TEXT(value_text(&arena, str_from(ticket->err.where)))),
			AS("assessment", TEXT(ticket->assessment)), AS("id", TEXT(ticket->id)),
			AS("holder", TEXT(holder)), AS("run", TEXT(STR(""))), AS("answer", INTEGER(0))));
	struct ended_row ended = { 0 };
	int found = rows_one(end, &arena, &ended, err), status = found < 0 ? found : 0;

	if (!status && ended.awaited && ended.key.owner.len) /* it is free again */
		status = request_key_answer(db, &ended.key, err);
	if (!status)
		status = blobs_release(store->blobs, db->engine, ticket->input_sha256, err);
	return status ? status : found;
}

int store_end_ticket(struct store *store, const struct ticket *ticket, struct str holder, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	int status = db_begin(db, err);

	if (!status)
		status = db_end(db, end_ticket(store, ticket, holder, err), err);
	if (status >= 0)
		upload_drop_unused(store, ticket->input_sha256);
	return status;
}
/* --- leases */

int store_take_ticket(
	struct store *store, const struct lease *lease, struct arena *arena, struct ticket *ret, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	struct rows *take = db_bind(
		db, STATEMENT_TAKE_TICKET, BIND(TEXT(lease->holder), INTEGER(lease->until), INTEGER(lease->now)));
	struct ticket taken = { 0 };
	int status = rows_one(take, arena, &taken, err);

	if (status != 1)
		return status;
	*ret = taken;
	return find_ticket(db, ret, arena, err);
}

int store_return_ticket(struct store *store, struct str id, const struct lease *lease, struct err *err)
{
	return store_write(
		store, STATEMENT_RETURN_TICKET, BIND(TEXT(id), INTEGER(lease->until), TEXT(lease->holder)), err);
}
