#pragma once
/*
 * Packs: one database as one file, for machines without a network (opdb(5) describes the form).
 *
 * A pack is a zstd frame over a line that says what it is, a line with a manifest in JSON, and the bytes of the
 * database.
 */
#include "base/memory/buf.h"
#include "base/setup/limits.h"
#include "opdb/db/opdb.h"

struct pack {
	struct buf content;               /* all of it, decompressed; the views below point into it */
	struct str manifest;              /* JSON */
	struct str database;              /* the bytes of the file */
	char build[64], facts_sha256[65]; /* from the manifest */
};

void pack_clear(struct pack *pack);

/* Appends the pack of an open database whose file has these bytes. ERR_LIMIT. */
int pack_put(const struct opdb *db, struct str bytes, struct buf *ret, struct err *err);

/* Read a pack and check it against its manifest. ERR_OPEN, ERR_LIMIT, ERR_DB_KIND for other files, ERR_DB_VERSION,
   ERR_DB_DAMAGED if it is cut, damaged or changed. Clear *ret in any case. */
int pack_read(const char *path, const struct limits *limits, struct pack *ret, struct err *err);

/* The same for what was decompressed into pack->content. */
int pack_take_apart(struct pack *pack, struct err *err);

/* Appends the bytes of a file. ERR_OPEN, ERR_LIMIT. */
int pack_read_file(const char *path, const struct limits *limits, struct buf *ret, struct err *err);
