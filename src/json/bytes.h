#pragma once
/* Runs of bytes inside of JSON, sixteen at a time: blanks between tokens, the bytes of a string. */
#include "json/scan.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The first quote or backslash. Most strings are short: their end is found without a call. */
static inline const char *json_quote(const char *at, const char *end)
{
#ifdef __SSE2__
	for (unsigned i = 0; i < 2 && end - at >= (ptrdiff_t)sizeof(__m128i); i++, at += sizeof(__m128i)) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
		__m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
			slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
		unsigned mask = (unsigned)_mm_movemask_epi8(_mm_or_si128(quotes, slashes));

		if (mask)
			return at + __builtin_ctz(mask);
	}
#endif
	return json_find_quote(at, end);
}

/* How many digits, points and signs of minus (and strokes, which lie between them) stand here; not all where they are many. */
static inline size_t json_digits(const char *at, const char *end)
{
	size_t len = 0;

#ifdef __SSE2__
	for (; len < 2 * sizeof(__m128i) && end - at >= (ptrdiff_t)(len + sizeof(__m128i)); len += sizeof(__m128i)) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(at + len));
		__m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8('-'));
		__m128i inside = _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8('9' - '-')), above);
		unsigned others = (unsigned)_mm_movemask_epi8(inside) ^ 0xffff;

		if (others)
			return len + (size_t)__builtin_ctz(others);
	}
#endif
	while (end - at > (ptrdiff_t)len && at[len] >= '-' && at[len] <= '9' && len < 64)
		len++;
	return len;
}

static inline bool json_is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static inline void json_skip_blanks(struct json_cursor *cursor)
{
	const char *at = cursor->at;

	if (at<cursor->end && * at> ' ')
		return;
#ifdef __SSE2__
	/* indents; what is neither a blank nor above it in the table ends them, too */
	for (; cursor->end - at >= (ptrdiff_t)sizeof(__m128i); at += sizeof(__m128i)) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
		__m128i blanks = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(' '));
		__m128i ends = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'));
		unsigned others = (unsigned)_mm_movemask_epi8(_mm_or_si128(blanks, ends)) ^ 0xffff;

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

/* Past the digits, points and minus signs that most words consist of. */
static inline const char *json_skip_figure(const char *at, const char *end)
{
#ifdef __SSE2__
	for (; end - at >= (ptrdiff_t)sizeof(__m128i); at += sizeof(__m128i)) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
		__m128i from_minus = _mm_sub_epi8(bytes, _mm_set1_epi8('-')); /* "-./0123456789" */
		__m128i within = _mm_cmpeq_epi8(_mm_min_epu8(from_minus, _mm_set1_epi8('9' - '-')), from_minus);
		unsigned others = (unsigned)_mm_movemask_epi8(within) ^ 0xffff;

		if (others)
			return at + __builtin_ctz(others);
	}
#endif
	while (at < end && *at >= '-' && *at <= '9')
		at++;
	return at;
}
