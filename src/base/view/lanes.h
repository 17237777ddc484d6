#pragma once
/*
 * Positions of a byte within sixty-four bytes, as bits; the lowest bit is the first byte. Each kind of processor has
 * an implementation, chosen at run time; all give the same results.
 */
#include <endian.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

enum { LANES = 64 };

#define LANES_INLINE static inline __attribute__((always_inline))

/* --- portable: eight bytes at a time */

/* The high bit of every byte of word that equals byte. */
LANES_INLINE uint64_t lanes_equal_bytes(uint64_t word, unsigned char byte)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
	uint64_t x = word ^ (0x0101010101010101u * byte);

	return ~(((x & low) + low) | x | low);
}

/* Those high bits, gathered into eight. */
LANES_INLINE uint64_t lanes_gather(uint64_t high)
{
	return (high >> 7) * 0x0102040810204080u >> 56;
}

/* Copies the last bytes of a text to where a whole block can be read. */
LANES_INLINE const char *lanes_padded(const char *at, size_t len, char space[LANES])
{
	memset(space, 0, LANES);
	memcpy(space, at, len);
	return space;
}

/* The parity of the bits up to each. */
LANES_INLINE uint64_t lanes_parity(uint64_t bits)
{
	for (unsigned shift = 1; shift < 64; shift *= 2)
		bits ^= bits << shift;
	return bits;
}

static inline bool lanes_has_any(void)
{
	return true;
}

#ifdef __x86_64__

#define LANES_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,pclmul")))

LANES_INLINE LANES_AVX2 uint64_t lanes_equal_avx2(__m256i bytes, char byte)
{
	return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte)));
}

/* The product with all ones, without carries, is the parity of the bits up to each. */
LANES_INLINE LANES_AVX2 uint64_t lanes_parity_product(uint64_t bits)
{
	return (uint64_t)_mm_cvtsi128_si64(
		_mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)bits), _mm_set1_epi8((char)0xff), 0));
}

static inline bool lanes_has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul");
}

#endif
