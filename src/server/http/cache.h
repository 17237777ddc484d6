#pragma once
/*
 * Bodies of answers in memory: what is asked for again is not looked up, checked, unpacked or written again. The
 * least recently used make room for others.
 */
#include <stdatomic.h>

#include "base/view/str.h"

struct cache;

/* Held by its finder or adder until cached_release. */
struct cached {
	size_t bytes;     /* of the body */
	const char *body; /* NULL: it is the file, so that the kernel sends it from where it lies */
	int file;
	/* Of what it was made from, given by who added it; who sees that another version makes the same may set it. */
	atomic_ullong version;
	/* of the cache */
	atomic_uint holders;
	bool placed; /* it can be found */
	uint64_t hash, asked_at;
	size_t key_len;
	char text[]; /* the key, then the body unless that is a file */
};

/* Where a cache is NULL, nothing is found and none taken. drop_answer: of cache_keep_answer. */
struct cache *cache_new(uint64_t most_bytes, void (*drop_answer)(void *answer));

/* Held ones live on. */
void cache_free(struct cache *cache);

/* Returns whether it has room for a body of that size. */
bool cache_takes(const struct cache *cache, uint64_t bytes);

/* NULL when there is none of that key, whatever its version. */
struct cached *cache_find(struct cache *cache, struct str key);

/* A copy of a body that the cache takes, in the place of an older one of that key. */
struct cached *cache_add(struct cache *cache, struct str key, uint64_t version, struct str body);

/* Drops all bodies that are not held; allocates nothing. */
void cache_empty(struct cache *cache);

/* One holder more; NULL is allowed for the second. */
struct cached *cached_hold(struct cached *cached);
void cached_release(struct cached *cached);

/*
 * Prebuilt responses of a body: a few of all bodies are kept, and each is given to one taker. NULL: there is none. An
 * answer may hold its body: it is dropped before its place in the cache is another's.
 */
void *cache_take_answer(struct cache *cache, const struct cached *cached);
void cache_keep_answer(struct cache *cache, const struct cached *cached, void *answer);
