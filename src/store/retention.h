#pragma once
/* What goes again by itself. Kept runs stay, as do tickets and keys whose work is not over. */
#include "store/store.h"

/* Bounds; 0: none. */
struct retention {
	uint64_t now;                                      /* seconds since 1970 */
	uint64_t days, project_assessments, project_bytes; /* of runs; the newest of a project stay */
	uint64_t ticket_days, tickets;                     /* that are over */
	uint64_t audit_days, audits;
};

/* Removes what is over the bounds: of runs at most RETENTION_BATCH, each by itself, so that nobody waits long
   for it. *ret: how many went. */
enum { RETENTION_BATCH = 1000 };
int store_sweep(struct store *store, const struct retention *retention, uint64_t *ret, struct err *err);
