#include "store/retention.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "store/db.h"
#include "store/keep.h"

enum { DAY = 24 * 3600 };

/* The time a number of days ago; 0: long before everything. */
static uint64_t days_before(uint64_t now, uint64_t days)
{
	return days && days < now / DAY ? now - days * DAY : 0;
}

/* Runs that a statement dooms, read with the writer's connection, so that readers do not wait. */
static int list_doomed(struct store *store, enum statement which, const struct db_value *values, struct db_numbers *ret,
	struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);

	return db_list_numbers(db_bind(db, which, values), ret, err);
}

/* Drops whole months. The only runs of an assessment go one by one before. */
static int sweep_months(
	struct store *store, struct str before, struct db_numbers *doomed, uint64_t *ret, struct err *err)
{
	struct db_numbers dropped = { 0 };
	int status;

	do {
		dropped.count = 0;
		status = list_doomed(
			store, STATEMENT_ONLY_RUNS, BIND(TEXT(before), INTEGER(RETENTION_BATCH)), doomed, err);
		if (!status && !doomed->count)
			status = list_doomed(store, STATEMENT_DROP_MONTH, BIND(TEXT(before)), &dropped, err);
		*ret += dropped.count ? dropped.items[0] : 0;
	} while (!status && dropped.count);
	free(dropped.items);
	return status;
}

static int sweep_runs(struct store *store, const struct retention *retention, uint64_t *ret, struct err *err)
{
	struct db_numbers doomed = { 0 };
	char before[STORED_TIME_BYTES];
	int status;

	*ret = 0;
	stored_time(days_before(retention->now, retention->days), before);
	status = sweep_months(store, str_from(before), &doomed, ret, err);
	if (!status && !doomed.count)
		status = list_doomed(store, STATEMENT_DOOMED,
			BIND(TEXT(str_from(before)), INTEGER(retention->project_assessments),
				INTEGER(retention->project_bytes), INTEGER(RETENTION_BATCH)),
			&doomed, err);
	for (size_t i = 0; i < doomed.count && status >= 0; i++) {
		pthread_mutex_lock(&store->writer.lock);
		status = run_remove(store, doomed.items[i], false, err);
		pthread_mutex_unlock(&store->writer.lock);
		*ret += status == 1;
	}
	free(doomed.items);
	return status < 0 ? status : 0;
}

int store_sweep(struct store *store, const struct retention *retention, uint64_t *ret, struct err *err)
{
	uint64_t tickets = retention->tickets ? retention->tickets : INT64_MAX;
	uint64_t audits = retention->audits ? retention->audits : INT64_MAX, now = retention->now;
	char before[STORED_TIME_BYTES];
	int status;

	stored_time(now, before);
	status = store_write(store, STATEMENT_BEGIN_MONTH, BIND(TEXT(str_from(before))), err);
	if (status >= 0)
		status = sweep_runs(store, retention, ret, err);
	stored_time(days_before(now, retention->ticket_days), before);
	if (!status)
		status = store_write(
			store, STATEMENT_DROP_TICKETS, BIND(TEXT(str_from(before)), INTEGER(tickets)), err);
	if (!status)
		status = store_write(store, STATEMENT_DROP_KEYS, BIND(INTEGER(days_before(now, 1)), INTEGER(now)), err);
	if (!status)
		status = store_write(store, STATEMENT_DROP_AUDITS,
			BIND(INTEGER(days_before(now, retention->audit_days)), INTEGER(audits)), err);
	if (!status && blobs_grace(store->blobs))
		status = blobs_collect(store->blobs,
			&(struct blob_collection){ .before = store_now(store) - blobs_grace(store->blobs) }, err);
	return status;
}
