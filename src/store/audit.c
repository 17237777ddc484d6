#include "store/audit.h"

#include "base/memory/mem.h"
#include "store/db.h"
#include "store/pool.h"

int audit_add(struct db *db, const struct audit *audit, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	return db_run(db, STATEMENT_ADD_AUDIT,
		BIND(AS("at", INTEGER(audit->at)), AS("who", TEXT(value_text(&arena, audit->who))),
			AS("address", TEXT(audit->address)), AS("action", TEXT(audit->action)),
			AS("subject", TEXT(value_text(&arena, audit->subject))), AS("status", INTEGER(audit->status)),
			AS("request", TEXT(value_text(&arena, audit->request)))),
		err);
}

int store_add_audits(struct store *store, const struct audit *entries, size_t count, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	int status = db_begin_adding(db, err);

	if (status)
		return status;
	for (size_t i = 0; i < count && !status; i++)
		status = audit_add(db, &entries[i], err);
	return db_end(db, status, err);
}

int store_list_audits(
	struct store *store, const struct list_page *page, struct arena *arena, struct audit_list *ret, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_reader(store);
	struct rows *rows = db_bind(
		db, STATEMENT_AUDITS, BIND(INTEGER(page->before ? page->before : INT64_MAX), INTEGER(page->max + 1)));
	int status;

	*ret = (struct audit_list){ .items = arena_alloc(arena, (page->max + 1) * sizeof(ret->items[0])) };
	while ((status = rows_step(rows, err)) == 1 && ret->count < page->max)
		rows_read(rows, arena, &ret->items[ret->count++]);
	ret->more = status == 1;
	return db_finish(rows, status);
}
