#pragma once
/* The service: what every request of it shares. Nothing in it changes while it runs, but for what SIGHUP reads anew:
   access and limits. */
#include "base/setup/limits.h"
#include "check/database/database.h"
#include "store/store.h"

struct access;
struct cache;
struct databases;
struct housekeeper;
struct metrics;
struct queue;
struct replica;
struct streams;

struct service {
	struct store *store;
	struct queue *queue;             /* of jobs */
	struct housekeeper *housekeeper; /* NULL: nothing is noted */
	struct replica *replica;         /* NULL: no other service uses the store */
	bool claims, answers;            /* takes jobs of a shared store; and requests beyond those of its operator */
	char holder[17];                 /* of leases: this process */
	const char *db_path;
	struct str_list overlays;
	bool no_stacks;              /* of settings.h */
	struct databases *databases; /* both of them, open; NULL: opened each time, as a job does */
	struct cache *cache;         /* of bodies; NULL: none */
	struct streams *streams;     /* NULL: none are sent */
	const struct limits *_Atomic limits;
	struct metrics *metrics;             /* NULL: nothing is counted */
	const struct access *_Atomic access; /* NULL: all callers have all scopes */
};

/* Returns a lease of this process on tickets and keys of the store, from now on. */
struct lease service_lease(const struct service *service);
