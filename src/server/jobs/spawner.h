#pragma once
/*
 * The process that forks jobs. It is forked itself before the service has any thread, lock or store, does nothing but
 * fork, wait and kill, and so gives every job a fresh and small copy of the program. When the service ends, however it
 * ends, the spawner and all its jobs end.
 *
 * A job is a number, a kind and descriptors; what they mean is agreed between the service and the function that runs.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/setup/err.h"

enum { SPAWNER_FILES = 4, SPAWNER_MOST_JOBS = 128 };

/* Where a job finds its descriptors, in the order in which they were sent. */
static const int spawner_places[SPAWNER_FILES] = { 0, 3, 4, 5 };

struct spawner {
	int socket;
	int process;
};

/*
 * prepare: called in the spawner before the fork of the job of that number; jobs inherit what it opens and reads.
 * run: the function of a job in its own process. Its descriptors, standard error and what was prepared are open there.
 * Returns the exit status.
 */
struct spawner_work {
	void (*prepare)(const void *ctx, uint64_t number);
	int (*run)(const void *ctx, unsigned kind);
	const void *ctx;
};

/* Forks the spawner. Before the first thread. ERR_INTERNAL. */
int spawner_start(const struct spawner_work *work, struct spawner *ret, struct err *err);

struct spawn {
	uint64_t number;
	uint32_t kind;
	uint32_t seconds; /* after which it is killed; 0: kills the running job of that number */
};

/* Starts a job, or ends one. The descriptors stay the caller's. At most SPAWNER_MOST_JOBS may run. ERR_INTERNAL when
   there is no spawner any more. */
int spawner_send(
	const struct spawner *spawner, const struct spawn *spawn, const int *files, size_t file_count, struct err *err);

struct spawn_end {
	uint64_t number;
	int32_t status; /* as of wait(2) */
	bool late;      /* killed behind its time */
	bool never;     /* could not be forked */
	uint64_t processor_ms, peak_kib;
};

/* Waits for the next job to end. False when the spawner is gone. */
bool spawner_receive(const struct spawner *spawner, struct spawn_end *ret);

/* Ends the spawner and what it runs: spawner_receive answers false from then on. */
void spawner_stop(const struct spawner *spawner);

/* Waits for its end, and closes. */
void spawner_close(struct spawner *spawner);
