#pragma once
/* Runs of bytes inside of JSON, sixteen at a time: blanks between tokens, digits, the bytes of a string. */
#include "json/simd.h"

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

/* Behind the digits, points, minus signs and slashes ("-./0123456789") here; not behind all where they are many. */
static inline const char *json_digits(const char *at, const char *end)
{
	const char *most = end - at > 64 ? at + 64 : end;

#ifdef __SSE2__
	for (; at < most && end - at >= (ptrdiff_t)sizeof(__m128i); at += sizeof(__m128i)) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
		__m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8('-'));
		__m128i inside = _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8('9' - '-')), above);
		unsigned others = (unsigned)_mm_movemask_epi8(inside) ^ 0xffff;

		if (others)
			return at + __builtin_ctz(others);
	}
#endif
	while (at < most && *at >= '-' && *at <= '9')
		at++;
	return at;
}

static inline bool json_is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Behind the blanks here. */
static inline const char *json_blanks(const char *at, const char *end)
{
#ifdef __SSE2__
	/* indents: spaces and line feeds */
	for (; end - at >= (ptrdiff_t)sizeof(__m128i); at += sizeof(__m128i)) {
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
	while (at < end && json_is_blank(*at))
		at++;
	return at;
}
