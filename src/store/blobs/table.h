#pragma once
/* The rows of blobs, and the connections that read and write them. Their statements have a table of their own: the
   store's comes behind this room. */
#include <pthread.h>

#include "store/engine/engine.h"

enum blob_statement {
	BLOB_BEGIN,
	BLOB_COMMIT,
	BLOB_ROLLBACK,
	BLOB_FIND,
	BLOB_CLAIM,
	BLOB_STORED,
	BLOB_DOUBT,
	BLOB_DROP_PARTS,
	BLOB_ADD_PART,
	BLOB_PART,
	BLOB_DOOM,
	BLOB_HOLD_DOOMED,
	BLOB_SPOIL,
	BLOB_DROP,
	BLOB_STATEMENTS
};

struct blob_row {
	uint64_t bytes, stored_at;
	struct str sha256, place;
};
struct blob_part {
	struct str content;
};

/* A connection of its own; one thread uses it at a time. */
struct blob_link {
	pthread_mutex_t lock;
	struct engine *engine;
};

int blob_link_open(struct blob_link *link, const struct store_place *place, struct err *err);
void blob_link_close(struct blob_link *link);

/* Waits until no other thread uses it. */
struct engine *blob_link_lock(struct blob_link *link);

/* Commits unless status is an error, which rolls back: 0 or an error. */
int blob_end(struct engine *engine, int status, struct err *err);
