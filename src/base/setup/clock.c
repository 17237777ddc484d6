#include "base/setup/clock.h"

#include <time.h>

enum { MS = 1000, NS_A_MS = 1000 * 1000, SECOND_NS = MS * NS_A_MS };

int64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * SECOND_NS + now.tv_nsec;
}

int64_t clock_ms(void)
{
	return clock_ns() / NS_A_MS;
}

void clock_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

bool clock_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t until_ms)
{
	const struct timespec until = { .tv_sec = until_ms / MS, .tv_nsec = until_ms % MS * NS_A_MS };

	return pthread_cond_timedwait(cond, lock, &until) == 0;
}
