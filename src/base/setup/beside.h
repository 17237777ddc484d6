#pragma once
/* Work that may go on in a thread beside its caller's. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct beside {
	pthread_t thread;
	bool runs;
};

/* Runs run(arg): in a thread if so many items are worth one and one is to be had, else before it returns. */
void beside_start(struct beside *beside, size_t items, void *(*run)(void *arg), void *arg);
void beside_wait(struct beside *beside);

/* Runs run(ctx, from, to) for all of so many items, the first half of them beside the others. */
typedef void beside_run(void *ctx, size_t from, size_t to);
void beside_halves(size_t items, beside_run *run, void *ctx);
