#pragma once
/* Which operators runs have. All text lives in the arena that is given. */
#include "store/store.h"

/* An operator, and how many runs have it among those with the largest share of their time. */
struct operator_use {
	struct str operator;
	uint64_t runs;
};

struct use_list {
	struct operator_use *items; /* what is in most runs first */
	size_t count;
};

struct use_query {
	struct str project;
	size_t max;
};

int store_list_uses(
	struct store *store, const struct use_query *query, struct arena *arena, struct use_list *ret, struct err *err);
