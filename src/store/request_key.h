#pragma once
/*
 * Keys of requests (Idempotency-Key): a client that does not know whether its request arrived sends it again with the
 * same key, and it is done once. A key is kept for a day.
 */
#include "store/store.h"

struct request_key {
	struct str owner, key;   /* of whom; "": no key */
	struct str asked_sha256; /* of what was sent with it */
	unsigned status;         /* of the answer; 0: none yet */
	struct str answer;       /* id of what it was about */
	struct str holder;       /* must still hold its lease; "": not checked */
};

/* 1: the caller does the work, and reports its end. 0: it was done before, *key has status and answer. ERR_KEY_BUSY:
   the work is in progress; ERR_KEY_OTHER: the key was used for a different request. */
int store_take_key(
	struct store *store, const struct lease *lease, struct arena *arena, struct request_key *key, struct err *err);

/* End of the work; status 0: failed, and the key is free unless its answer was kept with a run or a ticket,
   or a job with it is queued. */
int store_answer_key(struct store *store, const struct request_key *key, struct err *err);

/* --- for the store alone */

struct db;

/* Within the transaction that does the work: ERR_KEY_BUSY when another service took the key over. */
int request_key_hold(struct db *db, const struct request_key *key, struct err *err);

/* store_answer_key; hold the lock of the writer. */
int request_key_answer(struct db *db, const struct request_key *key, struct err *err);
