#pragma once
/*
 * Blobs: bytes kept under the SHA-256 of themselves. None is removed because it was unused a moment ago:
 *
 *	put      the bytes are there; nothing needs them yet
 *	mark     in the transaction of a row that needs the blob: once that is on disk, so are the bytes
 *	release  in the transaction that removes such a row
 *	collect  removes blobs that no row has needed since a time
 *
 * Errors are those of the store; ERR_BUSY when a blob is removed between put and mark: put it again.
 */
#include "store/blobs/file.h"
#include "store/engine/engine.h"

struct blobs;

/* The place of blobs is that of the store. The tables are there. */
int blobs_new(const struct store_place *place, struct blobs **ret, struct err *err);

/* NULL is allowed. */
void blobs_free(struct blobs *blobs);

/* Seconds from release to collect. 0: one service alone puts, marks and collects, each under the lock of its writer. */
uint64_t blobs_grace(const struct blobs *blobs);

/* Returns whether they lie in a bucket: then the documents of an assessment are blobs, too. */
bool blobs_in_bucket(const struct blobs *blobs);

/* Keeps a file, which is on disk already where it is moved. Moved, it is the blob itself and no copy. */
int blobs_put(struct blobs *blobs, struct blob_file *file, struct err *err);

/* Opens a blob: 1, 0 when it is missing, or an error. Its reader compares the digest. */
int blobs_open(struct blobs *blobs, struct str sha256, struct blob_file *ret, struct err *err);

int blobs_mark(struct blobs *blobs, struct engine *writer, struct str sha256, struct err *err);
int blobs_release(struct blobs *blobs, struct engine *writer, struct str sha256, struct err *err);

/* Removes blobs that nothing has needed since a time before this one. */
struct blob_collection {
	struct engine *writer; /* under its lock; NULL: files of the state directory stay */
	uint64_t before;       /* seconds since 1970 by the database */
	struct str only;       /* this file of the state directory alone; "": all */
};
int blobs_collect(struct blobs *blobs, const struct blob_collection *collection, struct err *err);

/* Its bytes and a number that changes when they are put anew; -1: missing. */
struct blob_look {
	int64_t bytes, changed_at;
};
struct blob_look blobs_look(struct blobs *blobs, struct str sha256);

/* The bytes are not what was put: the next put keeps them anew. */
void blobs_doubt(struct blobs *blobs, struct str sha256);

/* Returns whether the place of blobs can be reached. */
int blobs_check(struct blobs *blobs, struct err *err);
