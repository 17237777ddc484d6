#pragma once
/* Removal of old data. Kept runs stay, and so do tickets and keys of unfinished work. */
#include "store/store.h"

/* Bounds; 0: none. */
struct retention {
	uint64_t now;                                      /* seconds since 1970 */
	uint64_t days, project_assessments, project_bytes; /* of runs; the newest of a project stay */
	uint64_t ticket_days, tickets;                     /* that are over */
	uint64_t audit_days, audits;
};

/* Remove data over the bounds: at most RETENTION_BATCH runs, each in its own transaction, so that waits are short.
   *ret: runs removed. */
enum { RETENTION_BATCH = 1000 };
int store_sweep(struct store *store, const struct retention *retention, uint64_t *ret, struct err *err);
