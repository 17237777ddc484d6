#pragma once
/* Lists of runs: a filter has an index in the order of arrival, and the narrowest one that is given leads. */
#include "store/engine/place.h"
#include "store/run.h"

int store_list_runs(
	struct store *store, const struct run_query *query, struct arena *arena, struct run_list *ret, struct err *err);

/* The statement of a query, or the one that counts what it finds, as SQL. */
void run_put_query(struct buf *sql, const struct run_query *query, enum dialect dialect, bool count);
