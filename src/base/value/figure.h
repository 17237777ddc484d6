#pragma once
/*
 * Sums of figures that a dump decides. They stop at a maximum, so that no dump can make them overflow.
 *
 * The maximum is also what a report can carry: FIGURE_MAX nanoseconds (101 days), written as microseconds with three
 * decimals and read back through a double, are the same whole number. Below 2^53, so that counts are exact, too.
 */
#include <stdint.h>

#define FIGURE_MAX (INT64_C(1000) << 43)

static inline int64_t figure_add(int64_t sum, int64_t more)
{
	int64_t total;

	if (__builtin_add_overflow(sum, more, &total))
		total = more < 0 ? -FIGURE_MAX : FIGURE_MAX;
	return total > FIGURE_MAX ? FIGURE_MAX : total < -FIGURE_MAX ? -FIGURE_MAX : total;
}

/* The same for counts. */
static inline uint64_t figure_count(uint64_t sum, uint64_t more)
{
	uint64_t total;

	return __builtin_add_overflow(sum, more, &total) || total > (uint64_t)FIGURE_MAX ? (uint64_t)FIGURE_MAX : total;
}

/* The nearest whole number to one that is not negative. */
static inline int64_t figure_round(double value)
{
	return value < (double)FIGURE_MAX ? (int64_t)(value + 0.5) : FIGURE_MAX;
}

/* Adds the calls and times of one struct to those of another. */
#define FIGURES_ADD(to, more)                                                                                          \
	do {                                                                                                           \
		(to)->calls = figure_count((to)->calls, (more)->calls);                                                \
		(to)->self_cpu_ns = figure_add((to)->self_cpu_ns, (more)->self_cpu_ns);                                \
		(to)->cpu_total_ns = figure_add((to)->cpu_total_ns, (more)->cpu_total_ns);                             \
		(to)->self_device_ns = figure_add((to)->self_device_ns, (more)->self_device_ns);                       \
	} while (0)
