#pragma once
/*
 * The support database: one SQLite file that says what each release of each plugin does with each operator.
 *
 * It is made from the fact text (opdb/build/build.h) and only ever read afterwards. One handle is used by one thread;
 * several handles may read one file. What a handle hands out lives until opdb_close.
 */
#include "base/setup/err.h"
#include "opdb/model/release.h"

struct chip;
struct opdb;

/* Opens path for reading alone, as a file that nobody changes. ERR_DB_OPEN, ERR_DB_KIND, ERR_DB_VERSION,
   ERR_DB_DAMAGED. */
int opdb_open(const char *path, struct opdb **ret, struct err *err);

/* NULL is allowed. */
void opdb_close(struct opdb *db);

/* Whether a rule about types is one of the chip alone. */
bool opdb_tells_chip(const struct opdb *db, const struct chip *chip);
