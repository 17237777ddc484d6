#include "dump/npu/csv_cut.h"

#include <stdatomic.h>

#include "base/memory/mem.h"
#include "base/view/lanes.h"

/* Kinds of the bytes of a block. */
struct marks {
	uint64_t quotes, stops; /* stops: commas, CR, LF */
};

/* --- the cut */

/* Bytes that libcsv trims from the ends of cells. */
LANES_INLINE bool is_space(char c)
{
	return c == ' ' || c == '\t';
}

LANES_INLINE struct str trimmed(const char *from, const char *to)
{
	while (from < to && is_space(*from))
		from++;
	while (from < to && is_space(to[-1]))
		to--;
	return (struct str){ from, (size_t)(to - from) };
}

/* Take the cell at this offset. Misplaced quotes are found when all quotes of the row are counted. */
LANES_INLINE bool take_cell(struct csv_cut *cut, const char *from, const char *to, size_t *quoted)
{
	struct str cell;

	if (from < to && *from == '"') {
		if (to - from < 2 || to[-1] != '"')
			return false;
		*quoted += 1;
		cell = (struct str){ from + 1, (size_t)(to - from) - 2 };
	} else {
		cell = trimmed(from, to);
	}
	if (cut->count == cut->most || cell.len > cut->max_cell_bytes)
		return false;
	cut->cells[cut->count] = cut->keep & UINT64_C(1) << cut->count ? cell : STR("");
	cut->count++;
	return true;
}

/* The bytes of a row that ends at this stop. */
LANES_INLINE size_t row_bytes(struct str text, const char *stop)
{
	const char *end = text.ptr + text.len;

	return (size_t)(stop - text.ptr) + (*stop == '\r' && stop + 1 < end && stop[1] == '\n' ? 2 : 1);
}

LANES_INLINE size_t cut_with(
	struct csv_cut *cut, struct str text, struct marks (*mark)(const char *), uint64_t (*parity)(uint64_t))
{
	const char *from = text.ptr;
	uint64_t in_quotes = 0;
	size_t quotes = 0, quoted = 0;

	cut->count = 0;
	for (size_t base = 0; base < text.len; base += LANES) {
		char space[LANES];
		const char *at = text.ptr + base;
		struct marks marks = mark(text.len - base < LANES ? lanes_padded(at, text.len - base, space) : at);
		uint64_t inside = parity(marks.quotes) ^ in_quotes;

		for (uint64_t stops = marks.stops & ~inside; stops; stops &= stops - 1) {
			const char *stop = at + __builtin_ctzll(stops);

			if (!take_cell(cut, from, stop, &quoted))
				return 0;
			from = stop + 1;
			if (*stop == ',')
				continue;
			quotes += (size_t)__builtin_popcountll(marks.quotes & ((stops & -stops) - 1));
			return quotes == 2 * quoted ? row_bytes(text, stop) : 0;
		}
		quotes += (size_t)__builtin_popcountll(marks.quotes);
		in_quotes = (uint64_t)((int64_t)inside >> 63);
		if ((size_t)(at + LANES - from) > cut->max_cell_bytes + LANES)
			return 0;
	}
	return 0;
}

/* --- portable */

LANES_INLINE struct marks mark_portable(const char *at)
{
	struct marks marks = { 0 };

	for (unsigned i = 0; i < LANES; i += 8) {
		uint64_t word;

		memcpy(&word, at + i, sizeof(word));
		word = le64toh(word);
		marks.quotes |= lanes_gather(lanes_equal_bytes(word, '"')) << i;
		marks.stops |= lanes_gather(lanes_equal_bytes(word, ',') | lanes_equal_bytes(word, '\r') |
					    lanes_equal_bytes(word, '\n'))
			       << i;
	}
	return marks;
}

static size_t cut_portable(struct csv_cut *cut, struct str text)
{
	return cut_with(cut, text, mark_portable, lanes_parity);
}

#ifdef __x86_64__

/* --- AVX2 */

LANES_INLINE LANES_AVX2 struct marks mark_avx2(const char *at)
{
	struct marks marks = { 0 };

	for (unsigned i = 0; i < LANES; i += sizeof(__m256i)) {
		__m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(at + i));

		marks.quotes |= lanes_equal_avx2(bytes, '"') << i;
		marks.stops |= (lanes_equal_avx2(bytes, ',') | lanes_equal_avx2(bytes, '\r') |
				       lanes_equal_avx2(bytes, '\n'))
			       << i;
	}
	return marks;
}

static LANES_AVX2 size_t cut_avx2(struct csv_cut *cut, struct str text)
{
	return cut_with(cut, text, mark_avx2, lanes_parity_product);
}

#endif

/* --- the choice */

static const struct choice {
	struct csv_way way;
	bool (*runs_here)(void);
} choices[] = {
#ifdef __x86_64__
	{ { "avx2", cut_avx2 }, lanes_has_avx2 },
#endif
	{ { "portable", cut_portable }, lanes_has_any },
};

const struct csv_way *csv_way(size_t index)
{
	for (size_t i = 0; i < ARRAY_SIZE(choices); i++) {
		if (choices[i].runs_here() && index-- == 0)
			return &choices[i].way;
	}
	return NULL;
}

size_t csv_cut(struct csv_cut *cut, struct str text)
{
	static _Atomic(const struct csv_way *) chosen;
	const struct csv_way *way = atomic_load_explicit(&chosen, memory_order_relaxed);

	if (!way) {
		way = csv_way(0);
		atomic_store_explicit(&chosen, way, memory_order_relaxed);
	}
	return way->cut(cut, text);
}
