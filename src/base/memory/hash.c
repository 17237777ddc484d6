#include "base/memory/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

/* Drawn before main, so that threads need no care. */
static uint64_t seed;

__attribute__((constructor)) static void draw_seed(void)
{
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed)) {
		fputs("opcheck: the system has no random numbers\n", stderr);
		abort();
	}
}

uint64_t hash_seed(void)
{
	return seed;
}
