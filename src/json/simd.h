#pragma once
/*
 * Brackets and quotes of JSON text, 64 bytes at a time: skips what a reader does not need. Nothing allocates.
 */
#include "base/view/str.h"

enum { JSON_MAX_DEPTH = 128 };

enum json_status { JSON_OK, JSON_MORE, JSON_BROKEN };

/* The state of skipping a list or an object that may come in pieces. */
struct json_skip {
	uint64_t depth;     /* open brackets; 1 to start behind the first one */
	uint64_t in_string; /* all ones inside of a string */
	uint64_t escaped;   /* 1: the next byte follows a backslash */
};

/* Moves on to behind the bracket that closes the first one: JSON_OK; to the end of text: JSON_MORE; or to the
   damage. */
enum json_status json_skip(struct json_skip *skip, struct str *text);

/* Behind the bracket that closes the one before at; NULL when it is not among the next 64 bytes, or that takes
   json_skip. */
const char *json_find_close(const char *at, const char *end);

/* The first quote or backslash, or end. */
const char *json_find_quote(const char *at, const char *end);

/* The ways to do that on this machine, the best one first; for tests. They give the same results. */
struct json_simd {
	const char *name; /* "avx2", "portable" */
	enum json_status (*walk)(struct json_skip *skip, struct str *text);
	const char *(*find_quote)(const char *at, const char *end);
	const char *(*find_close)(const char *at, const char *end);
};
const struct json_simd *json_simd(size_t index);

/* Takes this way from now on. */
void json_use(const struct json_simd *way);
