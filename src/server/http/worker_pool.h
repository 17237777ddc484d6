#pragma once
/*
 * Threads beside those of the connections, for answers that take longer than others on the same thread can wait: what
 * the support database says of hundreds of operators, or a store on another machine.
 */
#include "base/setup/err.h"

struct worker_pool;

/* Zeroed before; lives until run was called, in one of the threads, or in worker_pool_stop. */
struct worker_task {
	void (*run)(void *ctx);
	void *ctx;
	struct worker_task *next;
};

/* ERR_INTERNAL. */
int worker_pool_start(unsigned threads, struct worker_pool **ret, struct err *err);

/* Runs what waits, and ends the threads; from now on nothing is added. NULL is allowed. */
void worker_pool_stop(struct worker_pool *pool);

/* Free a pool that was stopped. NULL is allowed. */
void worker_pool_free(struct worker_pool *pool);

/* ERR_BUSY when that many wait already, or it was stopped; the task is not run then. */
int worker_pool_add(struct worker_pool *pool, struct worker_task *task, size_t most_waiting, struct err *err);
