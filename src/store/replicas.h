#pragma once
/* The services on a shared store (work.h): who lives, what one at a time does, and signals between them. */
#include "base/memory/arena.h"
#include "store/store.h"

struct replica_row {
	struct str holder; /* of leases */
	uint64_t alive_until;
	struct str facts; /* digest of its support database; "": none */
	bool claims;      /* it takes jobs */
};
struct replica_list {
	struct replica_row *items;
	size_t count;
};

/* Notes that a service lives, and lists those that do. */
int store_beat(struct store *store, const struct replica_row *replica, struct arena *arena, struct replica_list *ret,
	struct err *err);

/* Has all services beat now, because one starts or ends: each gives callers its part of their rates. */
int store_call_replicas(struct store *store, struct err *err);

/* 1 when the holder is the one that does this work until the lease ends, else 0. */
int store_take_duty(struct store *store, struct str name, const struct lease *lease, struct err *err);

/* Gives all jobs and duties of a holder back, and forgets it. */
int store_leave(struct store *store, struct str holder, struct err *err);

/* Brings the rollups up to the runs that are there. Those who read them do so, too: then they have less to do. */
int store_fold(struct store *store, struct err *err);

/* Waits for signals (engine/signal.h), or for store_poke. A change by another service counts in store_changes. */
struct store_ear {
	unsigned ms;
	void (*hear)(void *ctx, struct str signal);
	void *ctx;
};
int store_listen(struct store *store, const struct store_ear *ear, struct err *err);

/* Nothing where the store is not shared. */
void store_poke(struct store *store);
