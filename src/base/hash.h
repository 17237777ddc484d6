#pragma once
/*
 * A fast seeded hash for tables in memory. Not for digests that leave the process: those are SHA-256.
 *
 * The seed is drawn once per process, so that no dump can be made to collide; nothing that is printed may depend on it.
 */
#include "base/str.h"

/* The seed of this process, from getrandom(2). */
uint64_t hash_seed(void);

/* The 128-bit product of a and b, its halves folded together. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_load(const char *ptr, size_t len)
{
	uint64_t word = 0;

	memcpy(&word, ptr, len);
	return word;
}

/* Hash of text that continues seed, so that several texts can be chained. */
static inline uint64_t hash_str(uint64_t seed, struct str text)
{
	const uint64_t odd = 0x9e3779b97f4a7c15u; /* 2^64 divided by the golden ratio */
	uint64_t state = seed ^ hash_mix(text.len ^ odd, seed | 1);

	for (; text.len >= 16; text = str_skip(text, 16))
		state = hash_mix(hash_load(text.ptr, 8) ^ state ^ odd, hash_load(text.ptr + 8, 8) ^ seed);
	if (text.len >= 8) {
		state = hash_mix(hash_load(text.ptr, 8) ^ state ^ odd, seed | 1);
		text = str_skip(text, 8);
	}
	if (text.len)
		state ^= hash_load(text.ptr, text.len);
	return hash_mix(state ^ odd, odd);
}
