#include "store/audit.h"

#include "store/db.h"

int audit_add(struct db *db, const struct audit *audit, struct err *err)
{
	struct sqlite3_stmt *add = db_statement(db, STATEMENT_ADD_AUDIT);

	db_bind_number(add, 1, audit->at);
	db_bind_text(add, 2, audit->who);
	db_bind_text(add, 3, audit->address);
	db_bind_text(add, 4, audit->action);
	db_bind_text(add, 5, audit->subject);
	db_bind_number(add, 6, audit->status);
	db_bind_text(add, 7, audit->request);
	return db_step(db, add, err);
}

static int add_audits(struct db *db, const struct audit *entries, size_t count, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < count && !status; i++)
		status = audit_add(db, &entries[i], err);
	return status;
}

int store_add_audits(struct store *store, const struct audit *entries, size_t count, struct err *err)
{
	struct db *db = &store->writer;
	int status;

	pthread_mutex_lock(&db->lock);
	status = db_begin(db, err);
	if (!status)
		status = db_end(db, add_audits(db, entries, count, err), err);
	pthread_mutex_unlock(&db->lock);
	return status;
}

static struct audit read_audit(struct sqlite3_stmt *row, struct arena *arena)
{
	return (struct audit){ .number = db_number(row, 0),
		.at = db_number(row, 1),
		.who = db_text(row, 2, arena),
		.address = db_text(row, 3, arena),
		.action = db_text(row, 4, arena),
		.subject = db_text(row, 5, arena),
		.status = (unsigned)db_number(row, 6),
		.request = db_text(row, 7, arena) };
}

static int list_audits(
	struct db *db, const struct list_page *page, struct arena *arena, struct audit_list *ret, struct err *err)
{
	struct sqlite3_stmt *rows = db_statement(db, STATEMENT_AUDITS);
	int status;

	*ret = (struct audit_list){ .items = arena_alloc(arena, (page->max + 1) * sizeof(ret->items[0])) };
	db_bind_number(rows, 1, page->before ? page->before : INT64_MAX);
	db_bind_number(rows, 2, page->max + 1);
	while ((status = db_step(db, rows, err)) == 1)
		ret->items[ret->count++] = read_audit(rows, arena);
	ret->more = ret->count > page->max;
	ret->count -= ret->more;
	return status;
}

int store_list_audits(
	struct store *store, const struct list_page *page, struct arena *arena, struct audit_list *ret, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->reader.lock);
	status = list_audits(&store->reader, page, arena, ret, err);
	pthread_mutex_unlock(&store->reader.lock);
	return status;
}
