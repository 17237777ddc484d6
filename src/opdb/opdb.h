#pragma once
/*
 * The support database: one SQLite file that says what each release of each plugin does with each operator.
 *
 * It is made from the fact text (opdb/README.md) and only ever read afterwards. One handle is used by one thread;
 * several handles may read one file. What a handle hands out lives until opdb_close.
 */
#include "base/err.h"
#include "base/str.h"

struct opdb;

struct opdb_info {
	struct str build;    /* short name of the fact text, from its digest */
	struct str built_at; /* RFC 3339: SOURCE_DATE_EPOCH of the build, else the date of the newest release */
	struct str sha256;   /* of the fact text, in hexadecimal */
	struct str digest;   /* of all that answers depend on: sha256, and with overlays one over it and theirs */
	size_t releases, torch_versions, names, facts;
};

/* Opens path for reading alone, as a file that nobody changes. ERR_DB_OPEN, ERR_DB_KIND, ERR_DB_VERSION,
   ERR_DB_DAMAGED. */
int opdb_open(const char *path, struct opdb **ret, struct err *err);

/* NULL is allowed. */
void opdb_close(struct opdb *db);

const struct opdb_info *opdb_info(const struct opdb *db);

/* Makes the file at out_path from the fact text in a directory, in a temporary file that takes its place when all is
   well. The same text gives the same bytes. ERR_FACT at "file:line" for an error in the text, ERR_OUTPUT, ERR_VALUE for
   a SOURCE_DATE_EPOCH that is no number. */
int opdb_build(const char *text_dir, const char *out_path, struct err *err);

enum { OPDB_DIGEST_BYTES = 65 }; /* 64 hexadecimal digits and a NUL */

/* The digest that a database made from the text in a directory would have. ERR_FACT. */
int opdb_text_digest(const char *text_dir, char ret_hex[OPDB_DIGEST_BYTES], struct err *err);
