#pragma once
/*
 * The tables of a store in PostgreSQL: schema/store-pg-NNNN.sql, each a step from the version before it, run under a
 * lock of the database. They lead forward only.
 */
#include <libpq-fe.h>
#include <stdbool.h>

#include "base/setup/err.h"

/* Checks the version of the tables, and runs the steps that they lack if asked to. ERR_STORE for tables of a newer
   version, or of an older one that is not to be changed. */
int postgresql_steps_run(PGconn *connection, bool sets_up, struct err *err);
