#include "base/view/scan.h"

#ifdef __SSE2__
#include <emmintrin.h>

enum { VECTOR_BYTES = 16 };

static unsigned equal_mask(__m128i bytes, char byte)
{
	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte)));
}

static __m128i load(const char *ptr)
{
	return _mm_loadu_si128((const __m128i *)(const void *)ptr);
}

/* Returns the number of bytes, in steps of four vectors, without one of interest: signed, all are at least a blank. */
static size_t skip_plain(struct str bytes)
{
	const __m128i blank = _mm_set1_epi8(' ');
	size_t len = 0;

	for (; bytes.len - len >= 4 * VECTOR_BYTES; len += 4 * VECTOR_BYTES) {
		const char *at = bytes.ptr + len;
		__m128i least = _mm_or_si128(
			_mm_cmplt_epi8(load(at), blank), _mm_cmplt_epi8(load(at + VECTOR_BYTES), blank));

		least = _mm_or_si128(least, _mm_cmplt_epi8(load(at + 2 * VECTOR_BYTES), blank));
		least = _mm_or_si128(least, _mm_cmplt_epi8(load(at + 3 * VECTOR_BYTES), blank));
		if (_mm_movemask_epi8(least))
			break;
	}
	return len;
}

/* Looks at whole vectors up to the one that holds the end; line->len is where it stopped. */
static void scan_vectors(struct str bytes, struct scanned_line *line)
{
	unsigned end = 0, high = 0, escape = 0;

	line->len = skip_plain(bytes);
	for (; !end && bytes.len - line->len >= VECTOR_BYTES; line->len += VECTOR_BYTES) {
		__m128i vector = load(bytes.ptr + line->len);
		unsigned before;

		if (!_mm_movemask_epi8(_mm_cmplt_epi8(vector, _mm_set1_epi8(' '))))
			continue;
		end = equal_mask(vector, '\n') | equal_mask(vector, '\r');
		before = end ? (end & -end) - 1 : ~0u;
		high |= (unsigned)_mm_movemask_epi8(vector) & before;
		escape |= equal_mask(vector, '\x1b') & before;
	}
	if (end)
		line->len -= VECTOR_BYTES - (unsigned)__builtin_ctz(end);
	line->ended = end;
	line->high = high;
	line->escape = escape;
}
#else
static void scan_vectors(struct str bytes, struct scanned_line *line)
{
	(void)bytes;
	(void)line;
}
#endif

struct scanned_line scan_line(struct str bytes)
{
	struct scanned_line line = { 0 };

	scan_vectors(bytes, &line);
	for (; !line.ended && line.len < bytes.len; line.len++) {
		unsigned char byte = (unsigned char)bytes.ptr[line.len];

		if (byte == '\n' || byte == '\r') {
			line.ended = true;
			return line;
		}
		line.high |= byte >= 0x80;
		line.escape |= byte == 0x1b;
	}
	return line;
}

size_t scan_count(struct str text, char byte)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7fu, want = 0x0101010101010101u * (unsigned char)byte;
	size_t at = 0, count = 0;

	for (; text.len - at >= 8; at += 8) {
		uint64_t difference = scan_load(text.ptr + at) ^ want;

		/* the lowest bit of each byte that is zero, then their sum */
		difference = ~(((difference & low) + low) | difference | low) >> 7;
		count += (size_t)(difference * 0x0101010101010101u >> 56);
	}
	for (; at < text.len; at++)
		count += text.ptr[at] == byte;
	return count;
}
