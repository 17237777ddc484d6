#pragma once
/*
 * Dumps and reports of the service on disk: one directory, used by one service at a time.
 *
 *	lock            held while the service runs
 *	backup.lock     held while dumps are copied; none is removed meanwhile
 *	store.sqlite    all rows (schema/store-*.sql)
 *	dumps/SHA256    dumps as sent, unless the database has them
 *	incoming/       uploads on their way, emptied when the store is opened
 *
 * A run that store_keep confirmed survives a crash of the program or the machine. A store may be used by several
 * threads. Errors are ERR_STORE, or ERR_STORE_FULL when there is no space left; their position is a path of this
 * machine.
 */
#include "base/memory/arena.h"
#include "base/setup/err.h"
#include "store/engine/place.h"

struct store;

/* Opens a store, makes its directory if it is not there, and brings an older one up to date. A store of a newer
   version or one that is in use is refused. The strings of the place live as long as the store. */
int store_open(const struct store_place *place, struct store **ret, struct err *err);

/* Lets that many threads read at one time, and ends a query after some seconds with ERR_BUSY; 0: never. Called before
   there are threads; a store that was opened has one reader. */
int store_bound_readers(struct store *store, unsigned count, uint64_t seconds, struct err *err);

/* NULL is allowed. */
void store_close(struct store *store);

/* A lease on work: no other service takes it before a time, in seconds since 1970. It ends with the work, or when
   its holder stops renewing it. */
struct lease {
	struct str holder;
	uint64_t now, until;
};

/* Moves the end of all leases of a holder to another time. */
int store_renew(struct store *store, const struct lease *lease, struct err *err);

/* Returns whether an upload can be kept now, by writing one. */
int store_probe(struct store *store, struct err *err);

/* Another number after every change of what is kept, once it can be read. */
uint64_t store_changes(const struct store *store);

/* Opens a file without a name in the directory, for what is on its way. */
int store_scratch(struct store *store, int *ret_fd, struct err *err);

/* ERR_STORE_FULL when less than this is free for what the store keeps. */
int store_has_room(struct store *store, uint64_t free_bytes, struct err *err);

/* Seconds since 1970 by the clock of the database: services that share it agree on leases, sessions and deliveries. */
uint64_t store_now(const struct store *store);

/* The schema version that this program writes. */
unsigned store_schema_version(void);
