#pragma once
/* Finding operators by parts of their names. */
#include "base/arena.h"
#include "base/err.h"
#include "opdb/db/opdb.h"

struct search_result {
	struct str *names; /* "aten::add", in their order; in the arena */
	size_t count;
	bool more;    /* there are further ones */
	size_t total; /* that fit, wherever the list begins */
};

/* At most max names that hold every word of the query (parted by blanks, letters of either case), after the name
   given ("": from the first). The errors of opdb_names_with_prefix. */
int search_operators(const struct opdb *db, struct str words, struct str after, size_t max, struct arena *arena,
	struct search_result *ret, struct err *err);
