#pragma once
/* The monotonic clock, and conditions that wait by it. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

int64_t clock_ns(void);
int64_t clock_ms(void);

void clock_cond_init(pthread_cond_t *cond);

/* Waits for a sign until this moment of clock_ms(). Hold the lock. Returns false once the moment has come. */
bool clock_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t until_ms);
