#pragma once
/*
 * Threads beside those of the connections, for answers that take longer than others on the same thread can wait: what
 * the support database says of hundreds of operators.
 */
#include "base/setup/err.h"

struct aside;

/* Zeroed before; lives until run was called, in one of the threads, or in aside_stop. */
struct aside_task {
	void (*run)(void *ctx);
	void *ctx;
	struct aside_task *next;
};

/* ERR_INTERNAL. */
int aside_start(unsigned threads, struct aside **ret, struct err *err);

/* Runs what waits, and ends the threads. NULL is allowed. */
void aside_stop(struct aside *aside);

/* ERR_BUSY when that many wait already; the task is not run then. */
int aside_add(struct aside *aside, struct aside_task *task, size_t most_waiting, struct err *err);
