#pragma once
/* A dump on its way in: written to a file of the store while it is hashed and counted. Used by one thread at a time. */
#include <stdbool.h>

#include "base/setup/err.h"
#include "base/value/sha256.h"
#include "base/view/str.h"
#include "store/blobs/blobs.h"

struct store;
struct upload;

struct damaged_dump {
	char sha256[SHA256_HEX_BYTES]; /* "": none */
	struct blob_look look;         /* then */
};

/* Begins an upload of at most max_bytes. */
int upload_begin(struct store *store, uint64_t max_bytes, struct upload **ret, struct err *err);

/* A dump that the store has, as an ended upload; its reader checks the digest. ERR_STORE_DAMAGED when it is missing. */
int upload_of_dump(struct store *store, struct str sha256, struct upload **ret, struct err *err);

/* Notes that its reader found another digest: readiness names the dump until its file changes. */
void upload_note_damage(const struct upload *upload);

/* ERR_STORE_DAMAGED with the dump that was found damaged or missing last, or why their place cannot be reached. */
int store_check_dumps(struct store *store, struct err *err);

/* Returns whether the file is a dump of the store. */
bool upload_is_kept(const struct upload *upload);

/* Adds the next bytes. ERR_LIMIT over the maximum. */
int upload_add(struct upload *upload, struct str bytes, struct err *err);

/* All bytes are there: its digest is known from now on. Called once. */
void upload_end(struct upload *upload);

/* Opens it anew, for reading alone. */
int upload_open(const struct upload *upload, int *ret_fd, struct err *err);

/* Its digest in hexadecimal; its bytes. */
struct str upload_sha256(const struct upload *upload);
uint64_t upload_bytes(const struct upload *upload);

/* Removes the file unless store_keep took it. NULL is allowed. */
void upload_free(struct upload *upload);

/* --- for the store alone */

/* Forces the bytes to disk, or puts them where that takes longer; without the writer's lock. */
int upload_sync(struct upload *upload, struct err *err);

/* Puts the file among the dumps; nothing when that was done. The transaction that needs it marks it. */
int upload_keep(struct upload *upload, struct err *err);

/* Removes a file of the state directory at once that no assessment and no ticket names, unless a backup runs: the next
   start removes it then. Dumps elsewhere wait for the grace period. Hold the writer's lock. */
void upload_drop_unused(struct store *store, struct str sha256);
