#pragma once
/*
 * The queue of jobs that services on one database share: each job is a ticket. One service hands a job over, any of
 * them claims it under a lease, and keeps its run with the ticket's end in one transaction (keep.h). A lease that is
 * not renewed expires, and the job is claimed again. A store of SQLite has one service and does not share.
 */
#include "store/ticket.h"

/* Returns whether several services may use the store. */
bool store_is_shared(const struct store *store);

/* --- handing over */

struct work_entry {
	struct ticket ticket; /* its key, too, which is answered at once unless the client waits */
	struct str name, owner, caller, facts;
	uint64_t input_bytes;
	bool awaited; /* its client waits */
};

struct work_count {
	uint64_t waiting, of_caller; /* of_caller: that wait or run */
};
int store_count_work(struct store *store, struct str caller, struct work_count *ret, struct err *err);

/* Keeps the dump and adds the job. */
int store_add_work(struct store *store, const struct work_entry *entry, struct upload *upload, struct err *err);

/* The client waits no longer: its key is answered with the ticket. 0: the job is over. */
int store_acknowledge_work(struct store *store, struct str ticket, unsigned status, struct err *err);

/* --- claiming; these have a connection of their own */

struct work_item {
	struct str ticket, name, owner, caller, project, facts, holder;
	uint64_t input_bytes, read_bytes, held_until;
	uint64_t starts_before; /* jobs that had started when it was added */
	uint64_t start_number;  /* 0: it waits */
	uint64_t starts;        /* of jobs, so far */
	bool awaited;
};
struct work_list {
	struct work_item *items; /* in the order in which they were added */
	size_t count;
};
enum { WORK_MOST = 1024 };

/* The first WORK_MOST jobs that wait or run. */
int store_list_work(struct store *store, struct arena *arena, struct work_list *ret, struct err *err);

/* Claims the job of ret->id: 1 with *ret, or 0 when another service was faster. */
int store_claim_work(
	struct store *store, const struct lease *lease, struct arena *arena, struct ticket *ret, struct err *err);

/* Renews a lease and notes the progress: 1, or 0 when the job is cancelled or another service has it. */
int store_hold_work(
	struct store *store, struct str ticket, const struct lease *lease, uint64_t read_bytes, struct err *err);
