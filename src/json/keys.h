#pragma once
/*
 * A cache for the keys of objects that repeat, such as the events of a trace: from one to the next the values differ,
 * and rarely the bytes between them.
 *
 * The bytes between two values (comma, blanks, key, colon) are kept with the number of the key and its followers. If
 * the same bytes come again, one comparison replaces reading them; other bytes are read by json_key. The results are
 * the same.
 */
#include "json/token.h"

enum { JSON_KEYS = 32, JSON_KEYS_NEXT = 3, JSON_KEY_BYTES = 48 };

/* The caller's number for a key, from 1; 0: ignored. */
enum { JSON_KEY_CLOSED = -1 };

struct json_known_key {
	char text[JSON_KEY_BYTES];    /* from behind the value before to the next one */
	uint64_t bytes;               /* one bit for each byte of it; 0: of the place before the first key */
	uint8_t len;                  /* of them */
	uint8_t next[JSON_KEYS_NEXT]; /* its followers, the last one first */
	int16_t meaning;
};

struct json_keys {
	int (*meaning)(struct str key);
	struct json_known_key known[JSON_KEYS]; /* the first: the beginning of an object */
	unsigned count, oldest;
	unsigned at; /* the key that was read last */
};

void json_keys_init(struct json_keys *keys, int (*meaning)(struct str key));

/* Read a key that is not in the cache. */
enum json_status json_keys_learn(struct json_keys *keys, struct json_cursor *cursor, int *ret_meaning);

/* A new object begins. */
static inline void json_keys_start(struct json_keys *keys)
{
	keys->at = 0;
}

/* Returns whether the text is at this offset. JSON_KEY_BYTES can be read. */
static inline bool json_key_stands(const struct json_known_key *known, const char *at)
{
#ifdef __SSE2__
	const __m128i *here = (const __m128i *)(const void *)at, *there = (const __m128i *)(const void *)known->text;
	uint64_t same = 0;

#pragma GCC unroll 3
	for (unsigned i = 0; i < JSON_KEY_BYTES / sizeof(__m128i); i++) {
		__m128i equal = _mm_cmpeq_epi8(_mm_loadu_si128(here + i), _mm_loadu_si128(there + i));

		same |= (uint64_t)(unsigned)_mm_movemask_epi8(equal) << i * sizeof(__m128i);
	}
	return (~same & known->bytes) == 0;
#else
	return memcmp(at, known->text, known->len) == 0;
#endif
}

/* Like json_key, and skips blanks after it: the key's number, or JSON_KEY_CLOSED after the closing bracket. */
static inline enum json_status json_keys_next(struct json_keys *keys, struct json_cursor *cursor, int *ret_meaning)
{
	const struct json_known_key *last = &keys->known[keys->at];

	if (cursor->end - cursor->at < JSON_KEY_BYTES)
		return json_keys_learn(keys, cursor, ret_meaning);
	for (unsigned i = 0; i < JSON_KEYS_NEXT && last->next[i]; i++) {
		const struct json_known_key *known = &keys->known[last->next[i]];

		if (json_key_stands(known, cursor->at)) {
			keys->at = last->next[i];
			cursor->at += known->len;
			*ret_meaning = known->meaning;
			return JSON_OK;
		}
	}
	return json_keys_learn(keys, cursor, ret_meaning);
}
