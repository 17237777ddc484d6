#pragma once
/*
 * Packs: one database as one file, for machines without a network (opdb(5) describes the form).
 *
 * A pack is a zstd frame over a line that says what it is, a line of signatures where it has some, a line with a
 * manifest, both in JSON, and the bytes of the database. A signature covers the first line and the manifest, which has
 * the SHA-256 of the database.
 */
#include "base/memory/buf.h"
#include "base/setup/limits.h"
#include "base/setup/opt.h"
#include "opdb/db/opdb.h"

struct pack {
	struct buf content;                           /* all of it, decompressed; the views below point into it */
	struct str head;                              /* the lines before the database */
	struct str signatures;                        /* JSON, "" without */
	struct str manifest;                          /* JSON */
	struct str database;                          /* the bytes of the file */
	char build[64], facts_sha256[65], sha256[65]; /* from the manifest; the last is the database's */
};

/* Packs that may be used: signed by one of these keys, or without a signature. */
struct pack_trust {
	const struct str_list *keys;
	bool unsigned_too;
};

void pack_clear(struct pack *pack);

/* Appends the bytes of a file, decompressed, as far as the buffer has room. ERR_OPEN, ERR_DIRECTORY, ERR_LIMIT,
   ERR_DB_DAMAGED for one that is cut. */
int whole_read(const char *path, const struct limits *limits, struct buf *ret, struct err *err);

/* Appends the pack of an open database whose file has these bytes, signed with the private keys in files. ERR_LIMIT,
   ERR_OPEN, ERR_VALUE for a file that is no such key. */
int pack_put(
	const struct opdb *db, struct str bytes, const struct str_list *signing_keys, struct buf *ret, struct err *err);

/* Read a pack, check it against its manifest, and whether it is trusted. ERR_OPEN, ERR_LIMIT, ERR_DB_KIND for other
   files, ERR_DB_VERSION, ERR_DB_DAMAGED if it is cut, damaged or changed, ERR_DB_SIGNATURE. Clear *ret in any case. */
int pack_read(const char *path, const struct limits *limits, const struct pack_trust *trust, struct pack *ret,
	struct err *err);

/* The same for what was decompressed into pack->content, without the trust; the head alone. */
int pack_take_apart(struct pack *pack, struct err *err);
int pack_take_head(struct pack *pack, struct err *err);
