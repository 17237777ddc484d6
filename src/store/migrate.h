#pragma once
/* A move from one store to another one, whatever their databases are: `opcheckd migrate`. */
#include "store/store.h"

struct migration {
	uint64_t assessments, runs, dumps, bytes; /* that the second store has now; bytes of the dumps */
	uint64_t shortened;                       /* names of operators, in both: PostgreSQL bounds keys */
};

/* Copies all rows and dumps to a store that is empty, or that an earlier call began to fill, then compares each table
   and each dump by digests. No service may use one of them. ERR_EXISTS when the second has data of its own;
   ERR_STORE for a first directory without a store. */
int store_migrate(const struct store_place *from, const struct store_place *to, struct migration *ret, struct err *err);

/* A table of a store of SQLite that is neither copied nor left on purpose; NULL: none. For tests. */
const char *migrate_unknown_table(struct store *store, struct arena *arena);
