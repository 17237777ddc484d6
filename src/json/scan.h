#pragma once
/*
 * JSON text, one token at a time, by a reader that forgives what profilers write wrong. It knows nothing about profilers.
 *
 * A cursor walks over bytes in memory and never past their end; when they end too early it says so (JSON_MORE), and the caller
 * tries again from the same place with more of them. Forgiven: missing and surplus commas, missing values, bare words such as
 * N/A and NaN, control bytes and bad UTF-8 in strings, duplicate keys. Not forgiven (JSON_BROKEN): what a string with a stray
 * quote in it leads to, a line feed inside of a string, nesting over JSON_MAX_DEPTH, words over JSON_MAX_WORD.
 *
 * What is not needed is skipped 64 bytes at a time. Nothing allocates. json_token.h has the tokens themselves.
 */
#include "base/buf.h"

enum { JSON_MAX_DEPTH = 128, JSON_MAX_WORD = 128 };

enum json_status { JSON_OK, JSON_MORE, JSON_BROKEN };

enum json_kind { JSON_STRING, JSON_WORD, JSON_LIST, JSON_OBJECT };

struct json_value {
	enum json_kind kind;
	bool escaped;   /* a string with a backslash in it */
	struct str raw; /* a string without its quotes, a list or an object with its brackets, a word: perhaps "" */
};

struct json_cursor {
	const char *at, *end;
};

/* The parts of json_value (json_token.h) that are not inline: numbers, true, N/A or nothing; a list or an object, skipped. */
enum json_status json_word(struct json_cursor *cursor, struct json_value *ret);
enum json_status json_container(struct json_cursor *cursor, struct json_value *ret);

/* The next item of a list, or its closing bracket: *ret_closed. */
enum json_status json_item(struct json_cursor *cursor, struct json_value *ret, bool *ret_closed);

/* Appends the text of a raw string: escapes resolved, lone surrogates and invalid UTF-8 replaced by U+FFFD. */
void json_text(struct buf *buf, const struct json_value *string);

/* The number in a word, or in a string, times scale, rounded to the nearest: "1.5e3". False for anything else. */
bool json_scaled(const struct json_value *value, int64_t scale, int64_t *ret);

/* Skipping a list or an object that may come in pieces. */
struct json_skip {
	uint64_t depth;     /* open brackets; 1 to begin behind the first one */
	uint64_t in_string; /* all ones inside of a string */
	uint64_t escaped;   /* 1: the next byte follows a backslash */
};

/* Moves on to behind the bracket that closes the first one: JSON_OK; to the end of text: JSON_MORE; or to the damage. */
enum json_status json_skip(struct json_skip *skip, struct str *text);

/* The first quote or backslash, or end. */
const char *json_find_quote(const char *at, const char *end);

/* The ways to do that on this machine, the best one first; for tests. They give the same results. */
struct json_simd {
	const char *name; /* "avx512", "avx2", "sse2", "portable" */
	enum json_status (*walk)(struct json_skip *skip, struct str *text);
	const char *(*find_quote)(const char *at, const char *end); /* the first quote or backslash, or end */
	/* Behind the bracket that closes the one before at; NULL when it is not among the next 64 bytes, or that takes a walk. */
	const char *(*find_close)(const char *at, const char *end);
};
const struct json_simd *json_simd(size_t index);

/* Takes this way from now on. */
void json_use(const struct json_simd *way);
