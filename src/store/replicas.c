#include "store/replicas.h"

#include <sys/eventfd.h>

#include "base/memory/mem.h"
#include "store/db.h"
#include "store/engine/signal.h"
#include "store/pool.h"
#include "store/rows.h"

static int list_replicas(struct db *db, struct arena *arena, struct replica_list *ret, struct err *err)
{
	struct rows *rows = db_bind(db, STATEMENT_REPLICAS, BIND_NOTHING);
	uint64_t now = engine_now(db->engine);
	MEM_LIST(struct replica_row) list = { 0 };
	struct replica_row row;
	int status;

	while ((status = rows_step(rows, err)) == 1) {
		rows_read(rows, arena, &row);
		if (row.alive_until > now)
			MEM_PUSH(&list, row);
	}
	ret->count = list.count;
	ret->items = db_keep_items(arena, list.items, list.count, sizeof(list.items[0]));
	return status;
}

int store_beat(struct store *store, const struct replica_row *replica, struct arena *arena, struct replica_list *ret,
	struct err *err)
{
	enum { FORGOTTEN_SECONDS = 3600 };
	CLEANUP(db_unlock) struct db *db = db_claimer(store);
	uint64_t now = engine_now(db->engine);
	int status = db_run(db, STATEMENT_BEAT,
		BIND(AS("holder", TEXT(replica->holder)), AS("alive_until", INTEGER(replica->alive_until)),
			AS("facts", TEXT(replica->facts)), AS("claims", INTEGER(replica->claims))),
		err);

	if (!status)
		status = db_run(db, STATEMENT_DROP_REPLICA, BIND(TEXT(STR("")), INTEGER(now - FORGOTTEN_SECONDS)), err);
	return status ? status : list_replicas(db, arena, ret, err);
}

int store_call_replicas(struct store *store, struct err *err)
{
	int status = store_claim(store, STATEMENT_CALL_REPLICAS, BIND_NOTHING, err);

	return status < 0 ? status : 0;
}

int store_take_duty(struct store *store, struct str name, const struct lease *lease, struct err *err)
{
	return store_claim(store, STATEMENT_TAKE_DUTY,
		BIND(AS("name", TEXT(name)), AS("holder", TEXT(lease->holder)), AS("held_until", INTEGER(lease->until)),
			AS("now", INTEGER(lease->now))),
		err);
}

int store_leave(struct store *store, struct str holder, struct err *err)
{
	int status = store_claim(store, STATEMENT_RELEASE_WORK, BIND(TEXT(holder)), err);

	if (!status)
		status = store_claim(store, STATEMENT_DROP_DUTIES, BIND(TEXT(holder)), err);
	if (status >= 0)
		status = store_claim(store, STATEMENT_DROP_REPLICA, BIND(TEXT(holder), INTEGER(0)), err);
	return status < 0 ? status : store_call_replicas(store, err);
}

int store_fold(struct store *store, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_reader(store);

	return db_fold(db, err);
}

/* --- signals */

struct listener {
	struct store *store;
	const struct store_ear *ear;
};

static void pass_on(void *ctx, struct str signal)
{
	const struct listener *listener = ctx;

	if (str_eq(signal, STR("change")))
		atomic_fetch_add(&listener->store->changes, 1);
	listener->ear->hear(listener->ear->ctx, signal);
}

int store_listen(struct store *store, const struct store_ear *ear, struct err *err)
{
	struct listener listener = { store, ear };
	CLEANUP(db_unlock) struct db *db = db_claimer(store);
	int status = engine_listen(
		db->engine, &(struct engine_ear){ ear->ms, store->poke_fd, pass_on, &listener }, err);
	eventfd_t ignored;

	eventfd_read(store->poke_fd, &ignored);
	if (status)
		pass_on(&listener, STR("change")); /* changes of others may be missed */
	return status;
}

void store_poke(struct store *store)
{
	if (store_is_shared(store))
		eventfd_write(store->poke_fd, 1);
}
