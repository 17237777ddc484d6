#include "store/ticket.h"

#include <stdio.h>

#include "store/db.h"

/* --- reading */

static int find_ticket(struct db *db, struct ticket *ticket, struct arena *arena, struct err *err)
{
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_TICKET);
	int status;

	db_bind_text(row, 1, ticket->id);
	status = db_step(db, row, err);
	if (status != 1)
		return status;
	ticket->created_at = db_text(row, 0, arena);
	ticket->status = db_text(row, 1, arena);
	ticket->assessment = db_text(row, 2, arena);
	ticket->input_sha256 = db_text(row, 3, arena);
	ticket->asked = db_text(row, 4, arena);
	ticket->err.code = (int)db_number(row, 5);
	snprintf(ticket->err.text, sizeof(ticket->err.text), "%.*s", STR_ARG(db_text(row, 6, arena)));
	snprintf(ticket->err.hint, sizeof(ticket->err.hint), "%.*s", STR_ARG(db_text(row, 7, arena)));
	snprintf(ticket->err.where, sizeof(ticket->err.where), "%.*s", STR_ARG(db_text(row, 8, arena)));
	ticket->project = db_text(row, 9, arena);
	db_stop(row);
	return 1;
}

int store_find_ticket(struct store *store, struct ticket *ticket, struct arena *arena, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->reader.lock);
	status = find_ticket(&store->reader, ticket, arena, err);
	pthread_mutex_unlock(&store->reader.lock);
	return status;
}

/* --- writing; hold the lock */

static int add_ticket(struct db *db, const struct ticket *ticket, const struct lease *lease, struct err *err)
{
	struct sqlite3_stmt *add = db_statement(db, STATEMENT_ADD_TICKET);

	db_bind_text(add, 1, ticket->id);
	db_bind_text(add, 2, ticket->created_at);
	db_bind_text(add, 3, ticket->assessment);
	db_bind_text(add, 4, ticket->input_sha256);
	db_bind_bytes(add, 5, ticket->asked);
	db_bind_text(add, 6, lease->holder);
	db_bind_number(add, 7, lease->until);
	db_bind_text(add, 8, ticket->project.ptr ? ticket->project : STR(""));
	return db_step(db, add, err);
}

int store_keep_ticket(
	struct store *store, struct ticket *ticket, struct upload *upload, const struct lease *lease, struct err *err)
{
	char now[RECORD_TIME_BYTES];
	int status = upload_sync(upload, err);

	record_time(lease->now, now);
	ticket->created_at = str_from(now);
	pthread_mutex_lock(&store->writer.lock);
	if (!status)
		status = upload_keep(upload, err);
	if (!status)
		status = add_ticket(&store->writer, ticket, lease, err);
	if (status && upload_is_kept(upload))
		upload_drop_unused(store, ticket->input_sha256);
	pthread_mutex_unlock(&store->writer.lock);
	ticket->created_at = STR("");
	return status;
}

int store_end_ticket(struct store *store, const struct ticket *ticket, struct err *err)
{
	struct sqlite3_stmt *end;
	int status;

	pthread_mutex_lock(&store->writer.lock);
	end = db_statement(&store->writer, STATEMENT_END_TICKET);
	db_bind_text(end, 1, ticket->status);
	db_bind_number(end, 2, (uint64_t)ticket->err.code);
	db_bind_text(end, 3, str_from(ticket->err.text));
	db_bind_text(end, 4, str_from(ticket->err.hint));
	db_bind_text(end, 5, str_from(ticket->err.where));
	db_bind_text(end, 6, ticket->id);
	status = db_step(&store->writer, end, err);
	if (!status)
		upload_drop_unused(store, ticket->input_sha256);
	pthread_mutex_unlock(&store->writer.lock);
	return status;
}

/* --- leases */

int store_take_ticket(
	struct store *store, const struct lease *lease, struct arena *arena, struct ticket *ret, struct err *err)
{
	struct db *db = &store->writer;
	struct sqlite3_stmt *take;
	int status;

	pthread_mutex_lock(&db->lock);
	take = db_statement(db, STATEMENT_TAKE_TICKET);
	db_bind_text(take, 1, lease->holder);
	db_bind_number(take, 2, lease->until);
	db_bind_number(take, 3, lease->now);
	status = db_step(db, take, err);
	if (status == 1) {
		*ret = (struct ticket){ .id = db_text(take, 0, arena) };
		status = db_step(db, take, err);
		if (!status)
			status = find_ticket(db, ret, arena, err);
	}
	pthread_mutex_unlock(&db->lock);
	return status;
}

int store_return_ticket(struct store *store, struct str id, uint64_t from, struct err *err)
{
	struct sqlite3_stmt *give;
	int status;

	pthread_mutex_lock(&store->writer.lock);
	give = db_statement(&store->writer, STATEMENT_RETURN_TICKET);
	db_bind_text(give, 1, id);
	db_bind_number(give, 2, from);
	status = db_step(&store->writer, give, err);
	pthread_mutex_unlock(&store->writer.lock);
	return status;
}
