#include "store/delivery.h"

#include "store/db.h"

void store_want_deliveries(struct store *store)
{
	pthread_mutex_lock(&store->writer.lock);
	store->writer.delivers = true;
	pthread_mutex_unlock(&store->writer.lock);
}

/* --- reading; hold the lock */

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

static int next_delivery(struct db *db, uint64_t now, struct arena *arena, struct delivery *ret, struct err *err)
{
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_DELIVERY);
	struct str id;
	int status;

	*ret = (struct delivery){ 0 };
	db_bind_number(row, 1, now);
	status = db_step(db, row, err);
	if (status != 1)
		return status;
	ret->number = db_number(row, 0);
	ret->attempts = db_number(row, 1);
	id = db_text(row, 2, arena);
	db_stop(row);
	status = run_find(db, &(struct id_like){ .begin = id, .max = 1 }, arena, &ret->run, err);
	if (status == 1 && ret->run.model.len && find_before(db, arena, ret, err))
		status = -err->code;
	return status;
}

int store_next_delivery(struct store *store, uint64_t now, struct arena *arena, struct delivery *ret, struct err *err)
{
	int status;

	db_snapshot(&store->reader);
	status = next_delivery(&store->reader, now, arena, ret, err);
	db_snapshot_end(&store->reader);
	return status;
}

/* --- writing */

int store_postpone_delivery(struct store *store, uint64_t number, uint64_t due_at, struct err *err)
{
	struct sqlite3_stmt *postpone;
	int status;

	pthread_mutex_lock(&store->writer.lock);
	postpone = db_statement(&store->writer, STATEMENT_POSTPONE_DELIVERY);
	db_bind_number(postpone, 1, number);
	db_bind_number(postpone, 2, due_at);
	status = db_step(&store->writer, postpone, err);
	pthread_mutex_unlock(&store->writer.lock);
	return status;
}

int store_end_delivery(struct store *store, uint64_t number, struct err *err)
{
	struct sqlite3_stmt *drop;
	int status;

	pthread_mutex_lock(&store->writer.lock);
	drop = db_statement(&store->writer, STATEMENT_DROP_DELIVERY);
	db_bind_number(drop, 1, number);
	status = db_step(&store->writer, drop, err);
	pthread_mutex_unlock(&store->writer.lock);
	return status;
}
