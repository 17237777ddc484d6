#pragma once
/*
 * A small JSON writer: right commas, right escapes, one line an element on the outer levels, compact inside.
 *
 * Objects and lists nest by calls; numbers are written from whole ones, so that the same values give the same bytes.
 * '<' and '>' are escaped, so the text may stand inside an HTML script element.
 */
#include "base/memory/buf.h"

struct jsonw {
	struct buf *out;
	unsigned depth;
	unsigned line_depth; /* elements on levels up to this one stand on lines of their own */
	bool filled;         /* the open object or list has an element already */
	bool keyed;          /* a key was written, its value comes next */
};

struct jsonw jsonw_start(struct buf *out, unsigned line_depth);

void jsonw_object(struct jsonw *json);
void jsonw_object_end(struct jsonw *json);
void jsonw_list(struct jsonw *json);
void jsonw_list_end(struct jsonw *json);

/* The key of the next value. */
void jsonw_key(struct jsonw *json, const char *key);
void jsonw_key_view(struct jsonw *json, struct str key);

void jsonw_str(struct jsonw *json, struct str value);
void jsonw_bool(struct jsonw *json, bool value);
void jsonw_number(struct jsonw *json, int64_t value);
/* value / 10^places */
void jsonw_decimal(struct jsonw *json, int64_t value, unsigned places);
/* Text that is JSON already. */
void jsonw_raw(struct jsonw *json, struct str value);

/* Write a pattern of JSON in which quotes are single and each '$' is the next of the texts, also in a string:
   jsonw_fill(&json, "'message': {'text': $, 'link': '/runs/$'}", text, id). Other calls may close what it opens, and
   open what it closes. */
#define jsonw_fill(json, pattern, ...) jsonw_fill_texts(json, pattern, (const struct str[]){ { 0 }, __VA_ARGS__ } + 1)
void jsonw_fill_texts(struct jsonw *json, const char *pattern, const struct str *texts);

/* Key and value in one. */
void jsonw_key_object(struct jsonw *json, const char *key);
void jsonw_key_list(struct jsonw *json, const char *key);
void jsonw_key_str(struct jsonw *json, const char *key, struct str value);
void jsonw_key_number(struct jsonw *json, const char *key, int64_t value);
void jsonw_key_decimal(struct jsonw *json, const char *key, int64_t value, unsigned places);
void jsonw_key_bool(struct jsonw *json, const char *key, bool value);
