#pragma once
/*
 * JSON text, one token at a time, by a reader that forgives what profilers write wrong. It knows nothing about
 * profilers.
 *
 * Forgiven: missing and surplus commas, missing values, bare words such as N/A and NaN, control bytes and bad UTF-8
 * in strings, duplicate keys. Not forgiven (JSON_BROKEN): a stray quote in a string, a line feed in a string, nesting
 * over JSON_MAX_DEPTH, words over JSON_MAX_WORD.
 *
 * Inline, because a reader of traces takes some thirty tokens an event. Nothing allocates.
 */
#include "json/cursor.h"
#include "json/value.h"

enum { JSON_MAX_WORD = 128 };

/* The parts of json_value that are not inline: numbers, true, N/A or nothing; a list or an object, skipped. */
enum json_status json_word(struct json_cursor *cursor, struct json_value *ret);
enum json_status json_container(struct json_cursor *cursor, struct json_value *ret);

/* The key of the next member of an object and the colon behind it, or its closing bracket: *ret_closed. */
enum json_status json_key(struct json_cursor *cursor, struct str *ret_key, bool *ret_closed);

/* The next item of a list, or its closing bracket: *ret_closed. */
enum json_status json_item(struct json_cursor *cursor, struct json_value *ret, bool *ret_closed);

/* From behind the opening quote to behind the closing one. */
static inline enum json_status json_string(struct json_cursor *cursor, struct json_value *ret)
{
	const char *start = cursor->at, *at = json_quote(start, cursor->end);

	ret->kind = JSON_STRING;
	ret->escaped = false;
	while (at < cursor->end && *at == '\\') {
		ret->escaped = true;
		if (cursor->end - at < 2)
			return JSON_MORE;
		at = json_quote(at + 2, cursor->end);
	}
	if (at == cursor->end)
		return JSON_MORE;
	ret->raw = (struct str){ start, (size_t)(at - start) };
	cursor->at = at + 1;
	return JSON_OK;
}

/* A number, read to its end without a look at each byte; anything else is left to json_word. */
static inline enum json_status json_number(struct json_cursor *cursor, struct json_value *ret)
{
	const char *start = cursor->at, *behind = json_digits(start, cursor->end);

	if (behind == start || behind == cursor->end ||
		(*behind != ',' && *behind != '}' && *behind != ']' && !json_is_blank(*behind)))
		return json_word(cursor, ret);
	*ret = (struct json_value){ JSON_WORD, false, { start, (size_t)(behind - start) } };
	cursor->at = behind;
	return JSON_OK;
}

/* Any value; lists and objects are skipped. On JSON_BROKEN the cursor stands where the damage was seen. */
static inline enum json_status json_value(struct json_cursor *cursor, struct json_value *ret)
{
	json_skip_blanks(cursor);
	if (cursor->at == cursor->end)
		return JSON_MORE;
	switch (*cursor->at) {
	case '"':
		cursor->at++;
		return json_string(cursor, ret);
	case '[':
	case '{':
		return json_container(cursor, ret);
	default:
		return json_number(cursor, ret);
	}
}
