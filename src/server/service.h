#pragma once
/* What every request of one service shares. But for access, nothing in it changes while the service runs. */
#include "base/limits.h"
#include "check/database.h"
#include "store/store.h"

struct access;
struct housekeeper;
struct metrics;
struct queue;

struct service {
	struct store *store;
	struct queue *queue;             /* of jobs */
	struct housekeeper *housekeeper; /* NULL: nothing is noted */
	char holder[17];                 /* of leases: this process */
	const char *db_path;             /* opened anew for every request that needs it, so that a new file is seen */
	struct str_list overlays;        /* read anew with it */
	struct limits limits;
	struct metrics *metrics; /* NULL: nothing is counted */
	const struct access
		*_Atomic access; /* NULL: everybody may do everything; the one thing that a reload changes */
};
