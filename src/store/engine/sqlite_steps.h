#pragma once
/*
 * The steps that bring the file of an older store up to date: schema/store-NNNN.sql, each from the version before it.
 * They lead forward only; a file of a newer version is left alone.
 */
#include "base/setup/err.h"

struct sqlite3;

/* ERR_STORE for a file of another program or of a newer version. Only reads. */
int sqlite_steps_check(struct sqlite3 *sqlite, struct err *err);

/* Checks, and runs the steps that the file lacks, each in a transaction of its own. */
int sqlite_steps_run(struct sqlite3 *sqlite, struct err *err);

/* The version after the last step. */
unsigned sqlite_steps_version(void);
