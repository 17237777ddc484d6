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
};

/* 1: the caller does the work, and says how it ended. 0: it was done before, *key has status and answer. ERR_KEY_BUSY:
   somebody is about to; ERR_KEY_OTHER: something else was sent with it. */
int store_take_key(
	struct store *store, const struct lease *lease, struct arena *arena, struct request_key *key, struct err *err);

/* How it ended; status 0: not at all, and the key is free again. */
int store_answer_key(struct store *store, const struct request_key *key, struct err *err);
