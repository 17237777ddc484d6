#pragma once
/* The service: what every request of it shares, its start and its end. Nothing in it changes while it runs, but for
   what SIGHUP reads anew: access and limits. */
#include "base/limits.h"
#include "check/database.h"
#include "store/store.h"

struct access;
struct cache;
struct databases;
struct housekeeper;
struct metrics;
struct queue;
struct settings;
struct streams;

struct service {
	struct store *store;
	struct queue *queue;             /* of jobs */
	struct housekeeper *housekeeper; /* NULL: nothing is noted */
	char holder[17];                 /* of leases: this process */
	const char *db_path;
	struct str_list overlays;
	bool no_stacks;              /* of settings.h */
	struct databases *databases; /* both of them, open; NULL: opened each time, as a job does */
	struct cache *cache;         /* of bodies; NULL: none */
	struct streams *streams;     /* NULL: none are sent */
	const struct limits *_Atomic limits;
	struct metrics *metrics;             /* NULL: nothing is counted */
	const struct access *_Atomic access; /* NULL: everybody may do everything */
};

/* run.c: blocks the signals that service_run waits for. Before the first thread, which inherits the mask. */
void service_block_signals(void);

/* Serves until a signal ends it. ERR_CONFIG, ERR_LISTEN, what the store and the database say, ERR_INTERNAL when jobs
   cannot be started. */
int service_run(const struct settings *settings, struct err *err);
