#pragma once
/*
 * A fast seeded hash for tables in memory. Not for digests that leave the process: those are SHA-256.
 *
 * The seed is drawn once per process, so that no dump can be made to collide; nothing that is printed may depend on it.
 */
#include "base/view/str.h"

/* The seed of this process, from getrandom(2). */
uint64_t hash_seed(void);

/* The 128-bit product of a and b, its halves folded together. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_load(const char *ptr)
{
	uint64_t word;

	memcpy(&word, ptr, sizeof(word));
	return word;
}

/* All bytes of a text of less than eight. */
static inline uint64_t hash_load_short(struct str text)
{
	uint32_t first, last;

	if (text.len >= 4) {
		memcpy(&first, text.ptr, sizeof(first));
		memcpy(&last, text.ptr + text.len - 4, sizeof(last));
		return (uint64_t)first << 32 | last;
	}
	if (!text.len)
		return 0;
	return (uint64_t)(unsigned char)text.ptr[0] << 16 | (uint64_t)(unsigned char)text.ptr[text.len / 2] << 8 |
	       (unsigned char)text.ptr[text.len - 1];
}

/* Hash of text that continues seed, so that several texts can be chained. */
static inline uint64_t hash_str(uint64_t seed, struct str text)
{
	const uint64_t odd = 0x9e3779b97f4a7c15u; /* 2^64 divided by the golden ratio */
	uint64_t state = seed ^ hash_mix(text.len ^ odd, seed | 1);

	for (; text.len > 16; text = str_skip(text, 16))
		state = hash_mix(hash_load(text.ptr) ^ state ^ odd, hash_load(text.ptr + 8) ^ seed);
	if (text.len >= 8)
		return hash_mix(hash_load(text.ptr) ^ state ^ odd, hash_load(text.ptr + text.len - 8) ^ seed);
	return hash_mix(hash_load_short(text) ^ state ^ odd, odd ^ seed);
}
