#pragma once
/* The value of eight digits at once: words as scan_load reads them. */
#include <stdint.h>

/* The value of eight digits, those in front as blanks where there are fewer. */
static inline int64_t fixed_eight(uint64_t word)
{
	const uint64_t pairs = 0x000000ff000000ffu;
	uint64_t value = word & 0x0f0f0f0f0f0f0f0fu;

	value = value * 10 + (value >> 8);
	return (int64_t)(((value & pairs) * (100 + (1000000ull << 32)) +
				 (value >> 16 & pairs) * (1 + (10000ull << 32))) >>
			 32);
}

/* The value, in thousandths, of the eight bytes around a point: four digits or blanks before it, three digits behind
   it. */
static inline int64_t fixed_thousandths(uint64_t word)
{
	const uint64_t pairs = 0x000000ff000000ffu;
	uint64_t value = word & 0x0f0f0f000f0f0f0fu;

	value = value * 10 + (value >> 8); /* two digits each in bytes 0, 2, 4 and 6 */
	return (int64_t)(((value & pairs) * (100 + (100000ull << 32)) +
				 (value >> 16 & pairs) * (1 + (1000ull << 32))) >>
			 32);
}
