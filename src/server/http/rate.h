#pragma once
/*
 * Rates of requests and bytes for each token or address: a bucket each, which fills up evenly. A full table
 * replaces the bucket that is fullest, so hostile addresses cost no memory and reset no limit.
 */
#include "server/http/caller.h"

struct rates;

/* The rest of a key. */
struct rate {
	uint64_t requests, most; /* now, and at all times; most 0: not counted */
	unsigned seconds;        /* until there is more; at least 1 */
	bool exceeded;           /* this one is too much */
};

struct rates *rates_new(void);

/* NULL is allowed. */
void rates_free(struct rates *rates);

/* Counts one request of a key that is allowed this much. */
struct rate rates_ask(struct rates *rates, struct str key, const struct allowance *allowance);

/* Counts bytes that a key has sent. */
void rates_send(struct rates *rates, struct str key, const struct allowance *allowance, uint64_t bytes);
