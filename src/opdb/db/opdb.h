#pragma once
/*
 * The support database: one SQLite file with the support of each operator by each release of each plugin.
 *
 * It is built from the fact text (opdb/build/build.h) and only read afterwards. One thread uses a handle; several
 * handles may read one file. Pointers from a handle live until opdb_close.
 */
#include "base/setup/err.h"
#include "opdb/model/release.h"

struct chip;
struct opdb;

/* Open path read-only, as an immutable file. ERR_DB_OPEN, ERR_DB_KIND, ERR_DB_VERSION, ERR_DB_DAMAGED. */
int opdb_open(const char *path, struct opdb **ret, struct err *err);

/* The same for the bytes of such a file, which are copied. */
int opdb_open_memory(struct str bytes, struct opdb **ret, struct err *err);

/* Says which pack the database comes from (opdb_info). */
void opdb_name_pack(struct opdb *db, struct str sha256, bool is_signed);

/* Read the facts of every name, for those that read from this handle later. ERR_DB_DAMAGED, ERR_LIMIT. */
int opdb_read_ahead(struct opdb *db, struct err *err);

/* NULL is allowed. */
void opdb_close(struct opdb *db);

/* Returns whether a rule about types is one of the chip alone. */
bool opdb_tells_chip(const struct opdb *db, const struct chip *chip);
