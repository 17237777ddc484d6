#pragma once
/* The tokens of json_scan.h, inline: a reader of traces takes some thirty of them an event. */
#include "json/bytes.h"

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

/* Takes one bracket. */
static inline enum json_status json_open(struct json_cursor *cursor, char bracket)
{
	json_skip_blanks(cursor);
	if (cursor->at == cursor->end)
		return JSON_MORE;
	if (*cursor->at != bracket)
		return JSON_BROKEN;
	cursor->at++;
	return JSON_OK;
}

/* The key of the next member of an object and the colon behind it, or its closing bracket: *ret_closed. */
static inline enum json_status json_key(struct json_cursor *cursor, struct str *ret_key, bool *ret_closed)
{
	struct json_value key;
	enum json_status status;

	*ret_closed = false;
	json_skip_separators(cursor);
	if (cursor->at == cursor->end)
		return JSON_MORE;
	if (*cursor->at == '}') {
		cursor->at++;
		*ret_closed = true;
		return JSON_OK;
	}
	if (*cursor->at != '"')
		return JSON_BROKEN;
	cursor->at++;
	status = json_string(cursor, &key);
	if (status != JSON_OK)
		return status;
	*ret_key = key.raw;
	return json_open(cursor, ':');
}

/* A number, read to its end without a look at each byte; anything else is left to json_word. */
static inline enum json_status json_number(struct json_cursor *cursor, struct json_value *ret)
{
	size_t len = json_digits(cursor->at, cursor->end);
	const char *behind = cursor->at + len;

	if (!len || behind == cursor->end ||
		(*behind != ',' && *behind != '}' && *behind != ']' && !json_is_blank(*behind)))
		return json_word(cursor, ret);
	*ret = (struct json_value){ JSON_WORD, false, { cursor->at, len } };
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
