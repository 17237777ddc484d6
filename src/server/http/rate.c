#include "server/http/rate.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "base/setup/clock.h"

enum { BUCKETS = 4096, TRIES = 8, MINUTE = 60, HOUR = 3600 };

struct bucket {
	uint64_t key; /* 0: free */
	double requests, bytes;
	struct allowance most; /* of both */
	double filled_at;      /* seconds of the monotonic clock */
};

struct rates {
	pthread_mutex_t lock;
	struct bucket buckets[BUCKETS];
};

struct rates *rates_new(void)
{
	struct rates *rates = mem_zalloc(sizeof(*rates));

	pthread_mutex_init(&rates->lock, NULL);
	return rates;
}

void rates_free(struct rates *rates)
{
	if (!rates)
		return;
	pthread_mutex_destroy(&rates->lock);
	free(rates);
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

/* Fills a bucket: from 1, which a free one is as well, down to 0 and, for bytes, below. */
static double fullness(struct bucket *bucket, double now)
{
	double passed = now - bucket->filled_at, requests = (double)bucket->most.minute_requests,
	       bytes = (double)bucket->most.hour_bytes;

	if (!bucket->key)
		return 1;
	bucket->requests = least(requests, bucket->requests + passed * requests / MINUTE);
	bucket->bytes = least(bytes, bucket->bytes + passed * bytes / HOUR);
	bucket->filled_at = now;
	return least(bucket->requests / requests, bucket->bytes / bytes);
}

/* The bucket of a key, filled. A new one takes the place of the fullest, which forgets the least, and is as full as
   that: no traffic of others makes a used-up one full. Hold the lock. */
static struct bucket *bucket_of(struct rates *rates, struct str key, const struct allowance *allowance)
{
	uint64_t hash = hash_str(hash_seed(), key) | 1;
	struct bucket *fullest = NULL;
	double now = (double)clock_ns() / 1e9, most = 0;

	for (size_t i = 0; i < TRIES; i++) {
		struct bucket *bucket = &rates->buckets[(hash / 2 + i) % BUCKETS];
		double full = fullness(bucket, now);

		if (bucket->key == hash) {
			bucket->most = *allowance;
			return bucket;
		}
		if (!fullest || full > most) {
			fullest = bucket;
			most = full;
		}
	}
	most = least(1, most * 2); /* half full is full for one that is new */
	*fullest = (struct bucket){ .key = hash,
		.requests = (double)allowance->minute_requests * most,
		.bytes = (double)allowance->hour_bytes * most,
		.most = *allowance,
		.filled_at = now };
	return fullest;
}

struct rate rates_ask(struct rates *rates, struct str key, const struct allowance *allowance)
{
	struct rate rate = { .most = allowance->minute_requests };
	double refill = (double)rate.most / MINUTE, refill_bytes = (double)allowance->hour_bytes / HOUR, wait = 0;
	struct bucket *bucket;

	pthread_mutex_lock(&rates->lock);
	bucket = bucket_of(rates, key, allowance);
	rate.exceeded = bucket->requests < 1 || bucket->bytes < 0;
	if (bucket->requests < 1)
		wait = (1 - bucket->requests) / refill;
	if (bucket->bytes < 0 && -bucket->bytes / refill_bytes > wait)
		wait = -bucket->bytes / refill_bytes;
	if (!rate.exceeded)
		bucket->requests -= 1;
	rate.requests = rate.exceeded ? 0 : (uint64_t)bucket->requests;
	pthread_mutex_unlock(&rates->lock);
	rate.seconds = 1 + (unsigned)least(wait, HOUR);
	return rate;
}

void rates_send(struct rates *rates, struct str key, const struct allowance *allowance, uint64_t bytes)
{
	pthread_mutex_lock(&rates->lock);
	bucket_of(rates, key, allowance)->bytes -= (double)bytes;
	pthread_mutex_unlock(&rates->lock);
}
