#pragma once
/* The tokens of json_scan.h, inline: a reader of traces takes some thirty of them an event. */
#include "dump/json_scan.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The first quote or backslash. Most strings are short: their end is found without a call. */
static inline const char *json_quote(const char *at, const char *end)
{
#ifdef __SSE2__
	for (unsigned i = 0; i < 2 && end - at >= (ptrdiff_t)sizeof(__m128i); i++, at += sizeof(__m128i)) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
		__m128i hits = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
		unsigned mask = (unsigned)_mm_movemask_epi8(hits);

		if (mask)
			return at + __builtin_ctz(mask);
	}
#endif
	return json_find_quote(at, end);
}

static inline bool json_is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static inline void json_skip_blanks(struct json_cursor *cursor)
{
	const char *at = cursor->at;

	if (at < cursor->end && *at > ' ')
		return;
#ifdef __SSE2__
	/* indents; what is neither a blank nor above it in the table ends them, too */
	for (; cursor->end - at >= (ptrdiff_t)sizeof(__m128i); at += sizeof(__m128i)) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
		__m128i blanks = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')));
		unsigned others = (unsigned)_mm_movemask_epi8(blanks) ^ 0xffff;

		if (others) {
			at += __builtin_ctz(others);
			break;
		}
	}
#endif
	while (at < cursor->end && json_is_blank(*at))
		at++;
	cursor->at = at;
}

static inline void json_skip_separators(struct json_cursor *cursor)
{
	json_skip_blanks(cursor);
	while (cursor->at < cursor->end && *cursor->at == ',') {
		cursor->at++;
		json_skip_blanks(cursor);
	}
}

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

static inline bool json_ends_word(char c)
{
	return c == ',' || c == '}' || c == ']' || json_is_blank(c) || c == '"' || c == '{' || c == '[' || c == ':';
}

/* Numbers, true, null, N/A, NaN, or nothing at all before a comma or a bracket. */
static inline enum json_status json_word(struct json_cursor *cursor, struct json_value *ret)
{
	const char *at = cursor->at;

	while (at < cursor->end && !json_ends_word(*at))
		at++;
	ret->kind = JSON_WORD;
	ret->escaped = false;
	ret->raw = (struct str){ cursor->at, (size_t)(at - cursor->at) };
	if (ret->raw.len > JSON_MAX_WORD)
		return JSON_BROKEN;
	if (at == cursor->end)
		return JSON_MORE;
	if (*at == ':' || (ret->raw.len && (*at == '"' || *at == '{' || *at == '[')))
		return JSON_BROKEN;
	cursor->at = at;
	return JSON_OK;
}

static inline enum json_status json_container(struct json_cursor *cursor, struct json_value *ret)
{
	struct json_skip skip = { .depth = 1 };
	struct str rest = { cursor->at + 1, (size_t)(cursor->end - cursor->at - 1) };
	enum json_status status = json_skip(&skip, &rest);

	ret->kind = *cursor->at == '[' ? JSON_LIST : JSON_OBJECT;
	ret->escaped = false;
	ret->raw = (struct str){ cursor->at, (size_t)(rest.ptr - cursor->at) };
	if (status != JSON_MORE)
		cursor->at = rest.ptr;
	return status;
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
		return json_word(cursor, ret);
	}
}

/* The next item of a list, or its closing bracket: *ret_closed. */
static inline enum json_status json_item(struct json_cursor *cursor, struct json_value *ret, bool *ret_closed)
{
	*ret_closed = false;
	json_skip_separators(cursor);
	if (cursor->at == cursor->end)
		return JSON_MORE;
	if (*cursor->at == '}' || *cursor->at == ':')
		return JSON_BROKEN;
	if (*cursor->at != ']')
		return json_value(cursor, ret);
	cursor->at++;
	*ret_closed = true;
	return JSON_OK;
}
