#include "store/request_key.h"

#include "store/db.h"
#include "store/rows.h"

enum { DAY = 24 * 3600 };

static int refuse_busy(struct err *err)
{
	err_set(err, ERR_KEY_BUSY, "a request with this Idempotency-Key is in progress");
	return err_hint(err, "send it again later");
}

/* The request of the row is under way or was answered: 0 with its answer, or an error. */
static int judge_row(const struct key_row *row, struct request_key *key, struct err *err)
{
	key->status = row->key.status;
	key->answer = row->key.answer;
	if (row->asked_sha256.len && !str_eq(row->asked_sha256, key->asked_sha256)) {
		err_set(err, ERR_KEY_OTHER, "this Idempotency-Key belongs to a different request");
		return err_hint(err, "use a new key for a new request");
	}
	return key->status ? 0 : refuse_busy(err);
}

int store_take_key(
	struct store *store, const struct lease *lease, struct arena *arena, struct request_key *key, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	struct key_row found = { 0 };
	int status = db_run(db, STATEMENT_TAKE_KEY,
		BIND(AS("owner", TEXT(key->owner)), AS("key", TEXT(key->key)),
			AS("asked_sha256", TEXT(key->asked_sha256)), AS("created_at", INTEGER(lease->now)),
			AS("holder", TEXT(lease->holder)), AS("held_until", INTEGER(lease->until)),
			AS("seconds", INTEGER(DAY))),
		err);

	if (status)
		return status;
	status = rows_one(db_bind(db, STATEMENT_KEY, BIND(TEXT(key->owner), TEXT(key->key))), arena, &found, err);
	return status < 0 ? status : judge_row(&found, key, err);
}

int request_key_hold(struct db *db, const struct request_key *key, struct err *err)
{
	int status = key->holder.len ? db_run(db, STATEMENT_HOLD_KEY,
					       BIND(TEXT(key->owner), TEXT(key->key), TEXT(key->holder)), err)
				     : 1;

	return status == 1 ? 0 : status ? status : refuse_busy(err);
}

int request_key_answer(struct db *db, const struct request_key *key, struct err *err)
{
	return key->status
		       ? db_run(db, STATEMENT_ANSWER_KEY,
				 BIND(TEXT(key->owner), TEXT(key->key), INTEGER(key->status), TEXT(key->answer)), err)
		       : db_run(db, STATEMENT_DROP_KEY, BIND(TEXT(key->owner), TEXT(key->key), TEXT(key->holder)), err);
}

int store_answer_key(struct store *store, const struct request_key *key, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	int begun;

	if (key->status)
		return request_key_answer(db, key, err);
	begun = db_begin(db, err); /* so that it sees a job that was kept just before */
	return begun ? begun : db_end(db, request_key_answer(db, key, err), err);
}
