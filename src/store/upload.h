#pragma once
/* A dump on its way in: written to a file of the store while it is hashed and counted. Used by one thread at a time. */
#include <stdbool.h>

#include "base/setup/err.h"
#include "base/value/sha256.h"
#include "base/view/str.h"

struct store;
struct upload;

struct damaged_dump {
	char sha256[SHA256_HEX_BYTES]; /* "": none */
	int64_t bytes, changed_at;     /* of its file then; -1: it was missing */
};

/* Begins an upload of at most max_bytes. */
int upload_begin(struct store *store, uint64_t max_bytes, struct upload **ret, struct err *err);

/* A dump that the store has, as an ended upload; its reader checks the digest. ERR_STORE_DAMAGED when it is missing. */
int upload_of_dump(struct store *store, struct str sha256, struct upload **ret, struct err *err);

/* Notes that its reader found another digest: readiness names the dump until its file changes. */
void upload_note_damage(const struct upload *upload);

/* ERR_STORE_DAMAGED with the dump that was found damaged or missing last. */
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

/* Forces the bytes to disk. */
int upload_sync(struct upload *upload, struct err *err);

/* Renames the file to the dump that it is and forces the name to disk; nothing when that was done. */
int upload_keep(struct upload *upload, struct err *err);

/* Removes a dump that no assessment and no ticket names, unless a backup runs: the next start removes it then. Hold the
   writer's lock. */
void upload_drop_unused(struct store *store, struct str sha256);
