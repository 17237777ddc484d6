#pragma once
/* The operator or Python API that a user names. */
#include "base/setup/err.h"
#include "base/view/str.h"

struct lookup;
struct opdb;

/* Set the name, the overload and the API with its calls of a lookup, as lookup_run takes them. ERR_OPERATOR with the
   nearest names, ERR_DB_DAMAGED, ERR_LIMIT. */
int lookup_take_name(const struct opdb *db, struct lookup *lookup, struct str given, struct err *err);
