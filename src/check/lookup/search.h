#pragma once
/* Finding operators by parts of their names. */
#include "base/memory/arena.h"
#include "base/setup/err.h"
#include "opdb/db/opdb.h"

struct search {
	struct str words; /* parted by blanks, letters of either case: the name holds every one */
	struct str after; /* the name before the first one to be listed; "": from the beginning */
	size_t max;       /* to be listed */
};

struct search_result {
	struct str *names; /* "aten::add", in their order; in the arena */
	size_t count;
	bool more;    /* there are further ones */
	size_t total; /* that fit, wherever the list begins */
};

/* The errors of opdb_names_with_prefix. */
int search_operators(const struct opdb *db, const struct search *search, struct arena *arena, struct search_result *ret,
	struct err *err);
