#pragma once
/*
 * Bodies of answers that are likely to be asked for again. A large body is one file without a name, which all answers
 * share. The least recently used make room for others. Bytes that answers hold beside the cache are counted: of
 * displaced bodies until they are sent, of bodies too large to be kept, and charges.
 */
#include <stdatomic.h>

#include "base/view/str.h"

struct cache;
struct holdings;

/* Held by its finder or adder until cached_release. */
struct cached {
	size_t bytes;         /* of the body */
	uint64_t plain_bytes; /* of the text that it is packed from, by gzip; 0: it is not packed */
	const char *body;     /* NULL: it is the file, so that the kernel sends it from where it lies */
	int file;
	/* Of what it was made from, given by who added it; who sees that another version makes the same may set it. */
	atomic_ullong version;
	/* of the cache */
	struct holdings *holdings; /* counted there while it is not in the cache */
	atomic_uint holders;
	bool placed; /* it can be found */
	uint64_t hash, asked_at;
	size_t key_len;
	char text[]; /* the key, then the body unless that is a file */
};

/* Where a cache is NULL, nothing is found, taken or counted. drop_answer: of cache_keep_answer. */
struct cache *cache_new(uint64_t most_bytes, void (*drop_answer)(void *answer));

/* Held ones live on. */
void cache_free(struct cache *cache);

/* Returns whether it has room for a body of that size. */
bool cache_takes(const struct cache *cache, uint64_t bytes);

/* NULL when there is none of that key, whatever its version. */
struct cached *cache_find(struct cache *cache, struct str key);

/* A copy of a body, in the place of an older one of that key; the same version is the one that is there. A body that
   the cache does not take is its caller's alone. packed: of a gzip stream of plain_bytes. */
struct cached *cache_add(struct cache *cache, struct str key, uint64_t version, struct str body);
struct cached *cache_add_packed(
	struct cache *cache, struct str key, uint64_t version, struct str packed, uint64_t plain_bytes);

/* The same for a body that is a file, which the cache takes. */
struct cached *cache_add_file(struct cache *cache, struct str key, uint64_t version, int file, uint64_t bytes);

/* A body of text that lives as long as the process, in no cache; plain_bytes as above. */
struct cached *cached_static(struct str body, uint64_t plain_bytes);

/* Reads bytes of a body from a position on; returns how many, 0 at its end or on an error. */
size_t cached_read(const struct cached *cached, uint64_t position, char *to, size_t bytes);

/* Count bytes that an answer holds beside the cache. False, counting nothing, when all would be more than most. */
bool cache_charge(struct cache *cache, uint64_t bytes, uint64_t most);
void cache_discharge(struct cache *cache, uint64_t bytes);

/* All bytes counted so. */
uint64_t cache_charged(const struct cache *cache);

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
