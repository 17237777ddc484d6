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
