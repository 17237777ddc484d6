#include "store/delivery.h"

#include "store/db.h"
#include "store/pool.h"

void store_want_deliveries(struct store *store)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);

	db->delivers = true;
}

static int find_before(struct db *db, struct arena *arena, struct delivery *delivery, struct err *err)
{
	const struct run *run = &delivery->run;
	struct run_list list;
	int status = run_list_trend(db,
		&(struct trend_query){ run->project, run->model, run->branch, .before = run->number, .max = 1 }, arena,
		&list, err);

	delivery->has_before = !status && list.count;
	if (delivery->has_before)
		delivery->before = list.items[0];
	return status;
}

/* The writer claims it. */
static int next_delivery(
	struct db *db, const struct lease *lease, struct arena *arena, struct delivery *ret, struct err *err)
{
	enum statement which = db->pool ? STATEMENT_DELIVERY : STATEMENT_CLAIM_DELIVERY;

	return rows_one(db_bind(db, which, BIND(INTEGER(lease->now), INTEGER(lease->until))), arena, ret, err);
}

int store_next_delivery(
	struct store *store, const struct lease *lease, struct arena *arena, struct delivery *ret, struct err *err)
{
	CLEANUP(db_snapshot_end) struct db *db = NULL;
	int status = 1;

	*ret = (struct delivery){ 0 };
	if (store->place.url) {
		CLEANUP(db_unlock) struct db *writer = db_lock(&store->writer);

		status = next_delivery(writer, lease, arena, ret, err);
	}
	db = db_snapshot(store);
	if (!store->place.url)
		status = next_delivery(db, lease, arena, ret, err);
	if (status != 1)
		return status;
	status = run_find(db, &(struct id_like){ .begin = ret->run.id, .max = 1 }, arena, &ret->run, err);
	if (status == 1 && ret->run.model.len && find_before(db, arena, ret, err))
		status = -err->code;
	return status;
}

int store_postpone_delivery(struct store *store, uint64_t number, uint64_t due_at, struct err *err)
{
	return store_write(store, STATEMENT_POSTPONE_DELIVERY, BIND(INTEGER(number), INTEGER(due_at)), err);
}

int store_end_delivery(struct store *store, uint64_t number, struct err *err)
{
	return store_write(store, STATEMENT_DROP_DELIVERY, BIND(INTEGER(number)), err);
}
