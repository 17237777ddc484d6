/* Sixty-four bytes of JSON at a time: one implementation of the walk, one classification of bytes a kind of
   processor. */
#include "json/simd.h"

#include <stdatomic.h>

#include "base/memory/mem.h"
#include "base/view/lanes.h"

enum { BLOCK = LANES };

#define INLINE LANES_INLINE

/* The bytes of a block that are of one kind; the lowest bit is the first byte. */
struct block {
	uint64_t quotes, backslashes, opening, closing, line_feeds;
};

/* --- portable: eight bytes at a time */

INLINE struct block classify_portable(const char *at)
{
	struct block block = { 0 };

	for (unsigned i = 0; i < BLOCK; i += 8) {
		uint64_t word, folded;

		memcpy(&word, at + i, sizeof(word));
		word = le64toh(word);
		folded = word | 0x2020202020202020u; /* '[' becomes '{', ']' becomes '}' */
		block.quotes |= lanes_gather(lanes_equal_bytes(word, '"')) << i;
		block.backslashes |= lanes_gather(lanes_equal_bytes(word, '\\')) << i;
		block.opening |= lanes_gather(lanes_equal_bytes(folded, '{')) << i;
		block.closing |= lanes_gather(lanes_equal_bytes(folded, '}')) << i;
		block.line_feeds |= lanes_gather(lanes_equal_bytes(word, '\n')) << i;
	}
	return block;
}

static const char *find_quote_portable(const char *at, const char *end)
{
	for (; end - at >= 8; at += 8) {
		uint64_t word, hit;

		memcpy(&word, at, sizeof(word));
		word = le64toh(word);
		hit = lanes_equal_bytes(word, '"') | lanes_equal_bytes(word, '\\');
		if (hit)
			return at + __builtin_ctzll(hit) / 8;
	}
	while (at < end && *at != '"' && *at != '\\')
		at++;
	return at;
}

/* --- the walk */

/* The bytes that follow an odd number of backslashes; *carry is for the next block. */
INLINE uint64_t escaped_bytes(uint64_t backslashes, uint64_t *carry)
{
	const uint64_t odd = 0xaaaaaaaaaaaaaaaau;
	uint64_t starts, series, escaped;

	if (!backslashes) {
		escaped = *carry;
		*carry = 0;
		return escaped;
	}
	/* a subtraction runs through each series of backslashes and marks every other byte: the ones that escape */
	starts = backslashes & ~*carry;
	series = ((starts << 1 | odd) - starts) ^ odd;
	escaped = series ^ (backslashes | *carry);
	*carry = (series & backslashes) >> 63;
	return escaped;
}

/* Goes from bracket to bracket up to the limit. *ret_at is behind the last bracket, or at the one too deep. */
INLINE enum json_status count_brackets(
	struct json_skip *skip, uint64_t opening, uint64_t closing, uint64_t limit, unsigned *ret_at)
{
	for (uint64_t left = (opening | closing) & limit; left; left &= left - 1) {
		uint64_t bit = left & -left;

		*ret_at = (unsigned)__builtin_ctzll(left) + 1;
		if (closing & bit) {
			if (--skip->depth == 0)
				return JSON_OK;
		} else if (++skip->depth > JSON_MAX_DEPTH) {
			return JSON_BROKEN;
		}
	}
	return JSON_MORE;
}

/* One block, of which the first bytes count. *ret_used only without JSON_MORE. */
INLINE enum json_status skip_block(
	struct json_skip *skip, const struct block *block, uint64_t inside, uint64_t valid, unsigned *ret_used)
{
	uint64_t opening = block->opening & ~inside & valid, closing = block->closing & ~inside & valid;
	uint64_t torn = block->line_feeds & inside & valid;
	uint64_t opened = (uint64_t)__builtin_popcountll(opening), closed = (uint64_t)__builtin_popcountll(closing);
	enum json_status status;

	if (closed < skip->depth && skip->depth + opened <= JSON_MAX_DEPTH && !torn) {
		skip->depth += opened - closed;
		return JSON_MORE;
	}
	status = count_brackets(skip, opening, closing, torn ? (torn & -torn) - 1 : valid, ret_used);
	if (status != JSON_MORE || !torn)
		return status;
	*ret_used = (unsigned)__builtin_ctzll(torn);
	return JSON_BROKEN;
}

INLINE enum json_status skip_with(
	struct json_skip *skip, struct str *text, struct block (*classify)(const char *), uint64_t (*parity)(uint64_t))
{
	while (text->len) {
		char space[BLOCK];
		unsigned len = text->len < BLOCK ? (unsigned)text->len : BLOCK, used = len;
		struct block block = classify(len < BLOCK ? lanes_padded(text->ptr, len, space) : text->ptr);
		uint64_t carry = skip->escaped, escaped = escaped_bytes(block.backslashes, &carry);
		uint64_t inside = parity(block.quotes & ~escaped) ^ skip->in_string;
		uint64_t valid = UINT64_MAX >> (BLOCK - len);
		enum json_status status = skip_block(skip, &block, inside, valid, &used);

		*text = str_skip(*text, status == JSON_MORE ? len : used);
		if (status != JSON_MORE)
			return status;
		/* the last byte decides how the next block begins */
		skip->in_string = (uint64_t)((int64_t)(inside << (BLOCK - len)) >> 63);
		skip->escaped = len < BLOCK ? escaped >> len & 1 : carry;
	}
	return JSON_MORE;
}

/* Most lists of a trace are short: one block, without the bookkeeping of a walk. */
INLINE const char *close_with(
	const char *at, const char *end, struct block (*classify)(const char *), uint64_t (*parity)(uint64_t))
{
	uint64_t inside, opening;
	struct block block;

	if (end - at < BLOCK)
		return NULL;
	block = classify(at);
	inside = parity(block.quotes);
	if (block.backslashes | (block.line_feeds & inside))
		return NULL;
	opening = block.opening & ~inside;
	for (uint64_t closing = block.closing & ~inside; closing; closing &= closing - 1) {
		uint64_t before = opening & ((closing & -closing) - 1);

		if (!before)
			return at + __builtin_ctzll(closing) + 1;
		opening ^= UINT64_C(1) << (63 - __builtin_clzll(before)); /* the one that this one closes */
	}
	return NULL;
}

static enum json_status skip_portable(struct json_skip *skip, struct str *text)
{
	return skip_with(skip, text, classify_portable, lanes_parity);
}

static const char *find_close_portable(const char *at, const char *end)
{
	return close_with(at, end, classify_portable, lanes_parity);
}

#ifdef __x86_64__

/* --- AVX2 */

INLINE LANES_AVX2 struct block classify_avx2(const char *at)
{
	struct block block = { 0 };

	for (unsigned i = 0; i < BLOCK; i += sizeof(__m256i)) {
		__m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(at + i));
		__m256i folded = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));

		block.quotes |= lanes_equal_avx2(bytes, '"') << i;
		block.backslashes |= lanes_equal_avx2(bytes, '\\') << i;
		block.opening |= lanes_equal_avx2(folded, '{') << i;
		block.closing |= lanes_equal_avx2(folded, '}') << i;
		block.line_feeds |= lanes_equal_avx2(bytes, '\n') << i;
	}
	return block;
}

static LANES_AVX2 enum json_status skip_avx2(struct json_skip *skip, struct str *text)
{
	return skip_with(skip, text, classify_avx2, lanes_parity_product);
}

static LANES_AVX2 const char *find_close_avx2(const char *at, const char *end)
{
	return close_with(at, end, classify_avx2, lanes_parity_product);
}

static LANES_AVX2 const char *find_quote_avx2(const char *at, const char *end)
{
	for (; end - at >= (ptrdiff_t)sizeof(__m256i); at += sizeof(__m256i)) {
		__m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)at);
		uint64_t hit = lanes_equal_avx2(bytes, '"') | lanes_equal_avx2(bytes, '\\');

		if (hit)
			return at + __builtin_ctzll(hit);
	}
	return find_quote_portable(at, end);
}

#endif

/* --- the choice */

static const struct way {
	struct json_simd simd;
	bool (*runs_here)(void);
} ways[] = {
#ifdef __x86_64__
	{ { "avx2", skip_avx2, find_quote_avx2, find_close_avx2 }, lanes_has_avx2 },
#endif
	{ { "portable", skip_portable, find_quote_portable, find_close_portable }, lanes_has_any },
};

const struct json_simd *json_simd(size_t index)
{
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		if (ways[i].runs_here() && index-- == 0)
			return &ways[i].simd;
	}
	return NULL;
}

static _Atomic(const struct json_simd *) chosen;

static const struct json_simd *best(void)
{
	const struct json_simd *simd = atomic_load_explicit(&chosen, memory_order_relaxed);

	if (!simd) {
		simd = json_simd(0);
		atomic_store_explicit(&chosen, simd, memory_order_relaxed);
	}
	return simd;
}

void json_use(const struct json_simd *way)
{
	atomic_store_explicit(&chosen, way, memory_order_relaxed);
}

enum json_status json_skip(struct json_skip *skip, struct str *text)
{
	return best()->walk(skip, text);
}

const char *json_find_close(const char *at, const char *end)
{
	return best()->find_close(at, end);
}

const char *json_find_quote(const char *at, const char *end)
{
	return best()->find_quote(at, end);
}
