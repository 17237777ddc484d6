#pragma once
/* Tickets: submits acknowledged before their work is done. Queued ones survive a crash. */
#include "store/assessments.h"
#include "store/request_key.h"

struct ticket {
	struct str id, created_at, status; /* queued, succeeded, failed, cancelled */
	struct str assessment;             /* id of what it becomes */
	struct str input_sha256;
	struct str asked;       /* opaque to the store */
	struct str project;     /* that the caller's token is for; "": none */
	struct str owner;       /* by which its job takes turns */
	struct err err;         /* of one that failed */
	struct request_key key; /* that it answers; owner "": none */
	/* of one that services share (work.h) */
	uint64_t input_bytes, read_bytes;
	uint64_t attempts;     /* services that claimed it, and did not give it back */
	bool running, awaited; /* awaited: its client waits, and it is not acknowledged */
	bool rests;            /* no service has a lease on it */
	struct str run;        /* id of the run that came of it */
	unsigned answer;       /* status of the answer, once it succeeded */
};

/* Keeps a ticket as queued, with its dump and a lease, and answers its key at the same time. created_at is given
   here. */
int store_keep_ticket(
	struct store *store, struct ticket *ticket, struct upload *upload, const struct lease *lease, struct err *err);

/* Ends a ticket that is queued still: status, err and assessment ("": as it was), whose id differs when it was resumed
   with other facts. holder "": whoever has the lease. Its dump goes unless something else needs it. 1, or 0 when the
   ticket is over or another's. */
int store_end_ticket(struct store *store, const struct ticket *ticket, struct str holder, struct err *err);

/* 1 with all but the id filled, 0 when there is none, or an error. */
int store_find_ticket(struct store *store, struct ticket *ticket, struct arena *arena, struct err *err);

/* Lease the oldest queued ticket without a lease: 1 with *ret, 0 or an error. A holder never gets its own ticket
   twice. */
int store_take_ticket(
	struct store *store, const struct lease *lease, struct arena *arena, struct ticket *ret, struct err *err);

/* Release the holder's lease: any service may take the ticket from its end on. holder "": whoever has the lease. */
int store_return_ticket(struct store *store, struct str id, const struct lease *lease, struct err *err);
