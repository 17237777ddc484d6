#pragma once
/* A JSON value in the bytes it came in, and what its text or its number is. */
#include "base/memory/buf.h"

enum json_kind { JSON_STRING, JSON_WORD, JSON_LIST, JSON_OBJECT };

struct json_value {
	enum json_kind kind;
	bool escaped;   /* a string with a backslash in it */
	struct str raw; /* a string without its quotes, a list or an object with its brackets, a word: perhaps "" */
};

/* Appends the text of a raw string: escapes resolved, lone surrogates and invalid UTF-8 replaced by U+FFFD. */
void json_text(struct buf *buf, const struct json_value *string);

/* The number in a word, or in a string, times scale, rounded to the nearest: "1.5e3". False for anything else. */
bool json_scaled(const struct json_value *value, int64_t scale, int64_t *ret);
