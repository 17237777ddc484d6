#include "base/secret.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

enum { MOST_BYTES = 32 };

void secret_random(char *ret_hex, size_t bytes)
{
	unsigned char random[MOST_BYTES];

	if (bytes > sizeof(random) || getrandom(random, bytes, 0) != (ssize_t)bytes)
		abort(); /* not for so few bytes once the system is up */
	for (size_t i = 0; i < bytes; i++)
		snprintf(ret_hex + 2 * i, 3, "%02x", random[i]);
}

bool secret_equal(struct str a, struct str b)
{
	return a.len == b.len && CRYPTO_memcmp(a.ptr, b.ptr, a.len) == 0;
}
