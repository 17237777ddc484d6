#include "store/retention.h"

#include <stdlib.h>

#include "base/mem.h"
#include "store/db.h"
#include "store/keep.h"

enum { DAY = 24 * 3600 };

struct numbers {
	uint64_t *items;
	size_t count, capacity;
};

/* The time a number of days ago; 0: long before everything. */
static uint64_t days_before(uint64_t now, uint64_t days)
{
	return days && days < now / DAY ? now - days * DAY : 0;
}

/* Reads with the connection of the writer: nobody who reads waits for it. */
static int list_doomed(struct db *db, const struct retention *retention, struct numbers *ret, struct err *err)
{
	struct sqlite3_stmt *rows;
	char before[RECORD_TIME_BYTES];
	int status;

	record_time(days_before(retention->now, retention->days), before);
	pthread_mutex_lock(&db->lock);
	rows = db_statement(db, STATEMENT_DOOMED);
	db_bind_text(rows, 1, str_from(before));
	db_bind_number(rows, 2, retention->project_assessments);
	db_bind_number(rows, 3, retention->project_bytes);
	db_bind_number(rows, 4, RETENTION_BATCH);
	while ((status = db_step(db, rows, err)) == 1)
		MEM_PUSH(ret, db_number(rows, 0));
	pthread_mutex_unlock(&db->lock);
	return status;
}

static int sweep_runs(struct store *store, const struct retention *retention, uint64_t *ret, struct err *err)
{
	struct numbers doomed = { 0 };
	int status = list_doomed(&store->writer, retention, &doomed, err);

	*ret = 0;
	for (size_t i = 0; i < doomed.count && status >= 0; i++) {
		pthread_mutex_lock(&store->writer.lock);
		status = run_remove(store, doomed.items[i], false, err);
		pthread_mutex_unlock(&store->writer.lock);
		*ret += status == 1;
	}
	free(doomed.items);
	return status < 0 ? status : 0;
}

static int sweep_tickets(struct db *db, const struct retention *retention, struct err *err)
{
	struct sqlite3_stmt *drop = db_statement(db, STATEMENT_DROP_TICKETS);
	char before[RECORD_TIME_BYTES];

	record_time(days_before(retention->now, retention->ticket_days), before);
	db_bind_text(drop, 1, str_from(before));
	db_bind_number(drop, 2, retention->tickets ? retention->tickets : INT64_MAX);
	return db_step(db, drop, err);
}

static int sweep_keys(struct db *db, const struct retention *retention, struct err *err)
{
	struct sqlite3_stmt *drop = db_statement(db, STATEMENT_DROP_KEYS);

	db_bind_number(drop, 1, days_before(retention->now, 1));
	db_bind_number(drop, 2, retention->now);
	return db_step(db, drop, err);
}

static int sweep_audits(struct db *db, const struct retention *retention, struct err *err)
{
	struct sqlite3_stmt *drop = db_statement(db, STATEMENT_DROP_AUDITS);

	db_bind_number(drop, 1, days_before(retention->now, retention->audit_days));
	db_bind_number(drop, 2, retention->audits ? retention->audits : INT64_MAX);
	return db_step(db, drop, err);
}

int store_sweep(struct store *store, const struct retention *retention, uint64_t *ret, struct err *err)
{
	static int (*const sweeps[])(struct db * db, const struct retention *retention,
		struct err *err) = { sweep_tickets, sweep_keys, sweep_audits };
	int status = sweep_runs(store, retention, ret, err);

	for (size_t i = 0; i < ARRAY_SIZE(sweeps) && !status; i++) {
		pthread_mutex_lock(&store->writer.lock);
		status = sweeps[i](&store->writer, retention, err);
		pthread_mutex_unlock(&store->writer.lock);
	}
	return status;
}
