#include "store/request_key.h"

#include "store/db.h"

enum { DAY = 24 * 3600 };

static struct sqlite3_stmt *key_statement(struct db *db, enum statement which, const struct request_key *key)
{
	struct sqlite3_stmt *statement = db_statement(db, which);

	db_bind_text(statement, 1, key->owner);
	db_bind_text(statement, 2, key->key);
	return statement;
}

/* Whether the row says something about this request: 1, 0 when its time is over, or what is wrong. */
static int judge_row(struct sqlite3_stmt *row, const struct lease *lease, struct arena *arena, struct request_key *key,
	struct err *err)
{
	bool other = !str_eq(db_text(row, 0, arena), key->asked_sha256), held = db_number(row, 2) > lease->now;

	key->status = (unsigned)db_number(row, 3);
	key->answer = db_text(row, 4, arena);
	if (key->status ? db_number(row, 1) + DAY <= lease->now : !held)
		return 0;
	if (other) {
		err_set(err, ERR_KEY_OTHER, "something else was sent with this Idempotency-Key");
		return err_hint(err, "use a new key for a new request");
	}
	if (key->status)
		return 1;
	err_set(err, ERR_KEY_BUSY, "a request with this Idempotency-Key is under way");
	return err_hint(err, "send it again later");
}

static int add_key(struct db *db, const struct lease *lease, const struct request_key *key, struct err *err)
{
	struct sqlite3_stmt *row = key_statement(db, STATEMENT_TAKE_KEY, key);
	int status;

	db_bind_text(row, 3, key->asked_sha256);
	db_bind_number(row, 4, lease->now);
	db_bind_text(row, 5, lease->holder);
	db_bind_number(row, 6, lease->until);
	status = db_step(db, row, err);
	return status ? status : 1;
}

int store_take_key(
	struct store *store, const struct lease *lease, struct arena *arena, struct request_key *key, struct err *err)
{
	struct db *db = &store->writer;
	struct sqlite3_stmt *row;
	int status;

	pthread_mutex_lock(&db->lock);
	row = key_statement(db, STATEMENT_KEY, key);
	status = db_step(db, row, err);
	if (status == 1) {
		status = judge_row(row, lease, arena, key, err);
		db_stop(row);
		status = status == 1 ? 0 : status == 0 ? add_key(db, lease, key, err) : status;
	} else if (!status) {
		status = add_key(db, lease, key, err);
	}
	pthread_mutex_unlock(&db->lock);
	return status;
}

int store_answer_key(struct store *store, const struct request_key *key, struct err *err)
{
	struct db *db = &store->writer;
	struct sqlite3_stmt *row;
	int status;

	pthread_mutex_lock(&db->lock);
	row = key_statement(db, key->status ? STATEMENT_ANSWER_KEY : STATEMENT_DROP_KEY, key);
	if (key->status) {
		db_bind_number(row, 3, key->status);
		db_bind_text(row, 4, key->answer);
	}
	status = db_step(db, row, err);
	pthread_mutex_unlock(&db->lock);
	return status;
}
