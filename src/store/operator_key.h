#pragma once
/* Operators as keys of tables and cursors, both of which bound their length. */
#include "store/db.h"

/* The name, or for one of more than 512 bytes its beginning and the digest of all of it. */
struct str operator_key(struct arena *arena, struct str name);

/* Rewrite longer names, which version 0.1 kept whole, in all tables of a store of SQLite; *ret: their number. */
int operator_keys_shorten(struct store *store, uint64_t *ret, struct err *err);
