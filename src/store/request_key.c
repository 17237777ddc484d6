#include "store/request_key.h"

#include "store/db.h"
#include "store/rows.h"

enum { DAY = 24 * 3600 };

/* Compare the row with this request: 1, 0 if it has expired, or an error. */
static int judge_row(const struct key_row *row, const struct lease *lease, struct request_key *key, struct err *err)
{
	key->status = row->key.status;
	key->answer = row->key.answer;
	if (key->status ? row->created_at + DAY <= lease->now : row->held_until <= lease->now)
		return 0;
	if (!str_eq(row->asked_sha256, key->asked_sha256)) {
		err_set(err, ERR_KEY_OTHER, "this Idempotency-Key belongs to a different request");
		return err_hint(err, "use a new key for a new request");
	}
	if (key->status)
		return 1;
	err_set(err, ERR_KEY_BUSY, "a request with this Idempotency-Key is in progress");
	return err_hint(err, "send it again later");
}

static int add_key(struct db *db, const struct lease *lease, const struct request_key *key, struct err *err)
{
	int status = db_run(db, STATEMENT_TAKE_KEY,
		BIND(TEXT(key->owner), TEXT(key->key), TEXT(key->asked_sha256), INTEGER(lease->now),
			TEXT(lease->holder), INTEGER(lease->until)),
		err);

	return status ? status : 1;
}

int store_take_key(
	struct store *store, const struct lease *lease, struct arena *arena, struct request_key *key, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	struct rows *row = db_bind(db, STATEMENT_KEY, BIND(TEXT(key->owner), TEXT(key->key)));
	struct key_row found = { 0 };
	int status = rows_step(row, err);

	if (status == 1) {
		rows_read(row, arena, &found);
		rows_stop(row);
		status = judge_row(&found, lease, key, err);
		if (status == 1)
			return 0;
	}
	return status ? status : add_key(db, lease, key, err);
}

int request_key_answer(struct db *db, const struct request_key *key, struct err *err)
{
	return db_run(db, key->status ? STATEMENT_ANSWER_KEY : STATEMENT_DROP_KEY,
		BIND(TEXT(key->owner), TEXT(key->key), INTEGER(key->status), TEXT(key->answer)), err);
}

int store_answer_key(struct store *store, const struct request_key *key, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);

	return request_key_answer(db, key, err);
}
