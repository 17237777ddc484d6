#pragma once
/*
 * Deliveries of runs to a webhook. If configured, a run and its delivery are kept in one transaction; a delivery
 * waits until it is accepted or given up, also over a restart, and is removed with its run.
 */
#include "store/run.h"

/* From now on each run that is kept is to be delivered. */
void store_want_deliveries(struct store *store);

struct delivery {
	uint64_t number;
	uint64_t attempts; /* that failed */
	struct run run, before;
	bool has_before; /* a run of the same project, model and branch, the last one before it; model "" has none */
};

/* The one that is due for the longest time: 1, or 0 when none is. In a shared store it is claimed: no other service
   gets it before the lease ends. */
int store_next_delivery(
	struct store *store, const struct lease *lease, struct arena *arena, struct delivery *ret, struct err *err);

/* One more attempt has failed; the next one is due then. */
int store_postpone_delivery(struct store *store, uint64_t number, uint64_t due_at, struct err *err);

int store_end_delivery(struct store *store, uint64_t number, struct err *err);
