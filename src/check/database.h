#pragma once
/* Where the support database is, for the command line and the service alike. */
#include "opdb/opdb.h"

/* Path of the database: given, $OPCHECK_DB, beside the program, or as installed. Static text: ask in one thread. */
const char *database_path(struct str given);

/* Opens it. The errors of opdb_open, with a hint where to get one. */
int database_open(struct str given, struct opdb **ret, struct err *err);
