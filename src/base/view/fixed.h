#pragma once
/*
 * Figures at the right end of a column, behind nothing but blanks: the last sixteen bytes of a cell at a time.
 *
 * In a mask the bit of the last byte is FIXED_LAST, that of the byte before half as much.
 */
#include "base/view/ascii.h"
#include "base/view/scan.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { FIXED_BYTES = 16, FIXED_LAST = 1 << (FIXED_BYTES - 1) };

struct fixed_cell {
	uint32_t filled; /* bytes other than blanks */
	uint32_t digits;
};

/* The bytes of a column of that width, or the last sixteen. */
static inline uint32_t fixed_column(uint32_t width)
{
	return width < FIXED_BYTES ? FIXED_LAST * 2 - (FIXED_LAST * 2 >> width) : FIXED_LAST * 2 - 1;
}

/* The content of a column that ends before end; sixteen bytes before it can be read. */
static inline struct fixed_cell fixed_cell(const char *end, uint32_t column)
{
#ifdef __SSE2__
	__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(end - FIXED_BYTES));
	__m128i values = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
	__m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
	uint32_t blanks = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')));

	return (struct fixed_cell){ ~blanks & column, (uint32_t)_mm_movemask_epi8(is_digit) & column };
#else
	struct fixed_cell cell = { 0 };

	for (int i = 0; i < FIXED_BYTES; i++) {
		cell.filled |= (uint32_t)(end[i - FIXED_BYTES] != ' ') << i & column;
		cell.digits |= (uint32_t)is_digit(end[i - FIXED_BYTES]) << i & column;
	}
	return cell;
#endif
}

/* Returns whether the cell is blanks, then digits and the others up to its end. */
static inline bool fixed_matches(struct fixed_cell cell, uint32_t others)
{
	return (cell.filled ^ cell.digits) == others && cell.filled + (cell.filled & -cell.filled) == FIXED_LAST * 2;
}

/* Returns the number of blanks at the start, without a data-dependent branch for up to 64 bytes. */
static inline size_t fixed_lead(struct str text)
{
	enum { BLOCK = 64 };
	size_t from = 0;

	for (; text.len - from >= FIXED_BYTES; from += BLOCK) {
		size_t len = text.len - from < BLOCK ? text.len - from : BLOCK, at = 0;
		uint64_t filled = 0;

		for (; at + FIXED_BYTES < len; at += FIXED_BYTES)
			filled |= (uint64_t)fixed_cell(text.ptr + from + at + FIXED_BYTES, 0xffff).filled << at;
		at = len - FIXED_BYTES;
		filled |= (uint64_t)fixed_cell(text.ptr + from + len, 0xffff).filled << at;
		if (filled)
			return from + (size_t)__builtin_ctzll(filled);
		if (len < BLOCK)
			return text.len;
	}
	return from + scan_run(str_skip(text, from), ' ');
}
