#pragma once
/*
 * Runs of one byte, eight at a time. Inline because table readers call these several times a line.
 */
#include <endian.h>

#include "base/view/str.h"

static inline uint64_t scan_load(const char *ptr)
{
	uint64_t word;

	memcpy(&word, ptr, sizeof(word));
	return le64toh(word);
}

/* Returns the length of the run of byte at the start of text. */
static inline size_t scan_run(struct str text, char byte)
{
	uint64_t want = 0x0101010101010101u * (unsigned char)byte;
	size_t len = 0;

	for (; text.len - len >= 8; len += 8) {
		uint64_t difference = scan_load(text.ptr + len) ^ want;

		if (difference)
			return len + (size_t)__builtin_ctzll(difference) / 8;
	}
	while (len < text.len && text.ptr[len] == byte)
		len++;
	return len;
}

/* Returns the length of the run of byte at the end of text. */
static inline size_t scan_run_back(struct str text, char byte)
{
	uint64_t want = 0x0101010101010101u * (unsigned char)byte;
	size_t len = 0;

	for (; text.len - len >= 8; len += 8) {
		uint64_t difference = scan_load(text.ptr + text.len - len - 8) ^ want;

		if (difference)
			return len + (size_t)__builtin_clzll(difference) / 8;
	}
	while (len < text.len && text.ptr[text.len - 1 - len] == byte)
		len++;
	return len;
}

/* Returns the number of bytes of text that equal byte. */
size_t scan_count(struct str text, char byte);

/* text without the blanks (U+0020 alone) at its end. */
static inline struct str scan_chop(struct str text)
{
	return text.len && text.ptr[text.len - 1] == ' ' ? str_chop(text, scan_run_back(text, ' ')) : text;
}

/* text without the blanks at its beginning; without those at both ends. */
static inline struct str scan_lead(struct str text)
{
	return str_skip(text, scan_run(text, ' '));
}
static inline struct str scan_trim(struct str text)
{
	return scan_chop(scan_lead(text));
}

/* Properties of a line of bytes. */
struct scanned_line {
	size_t len;  /* bytes before the LF or CR that ends it, or all when neither is there */
	bool ended;  /* one of them is there */
	bool high;   /* some byte before the end is 0x80 or more */
	bool escape; /* some byte before the end is ESC */
};

/* Finds the end of the line at the start of bytes and the text before it, in one pass. */
struct scanned_line scan_line(struct str bytes);
