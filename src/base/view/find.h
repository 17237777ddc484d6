#pragma once
/*
 * Searches of an array for the first item with a property, a condition on its index that the search declares:
 *
 *	if (ANY(i, count, items[i].late))
 *	return FIND(i, items, count, str_eq(items[i].name, name));
 *
 * A condition is evaluated once for each item up to the first that has it.
 */
#include <stddef.h>
#include <stdint.h>

/* Its index; count if there is none. */
#define POSITION(i, count, condition)                                                                                  \
	({                                                                                                             \
		size_t i = 0;                                                                                          \
		while (i < (count) && !(condition))                                                                    \
			i++;                                                                                           \
		i;                                                                                                     \
	})

#define ANY(i, count, condition) (POSITION(i, count, condition) < (count))
#define ALL(i, count, condition) (!ANY(i, count, !(condition)))

/* A pointer to it; NULL if there is none. */
#define FIND(i, items, count, condition)                                                                               \
	({                                                                                                             \
		size_t found = POSITION(i, count, condition);                                                          \
		found < (count) ? &(items)[found] : NULL;                                                              \
	})

/* In items that are in order: the index of the first with a property that all behind it have as well. */
#define BISECT(i, count, condition)                                                                                    \
	({                                                                                                             \
		size_t bisect_low = 0, bisect_high = (count);                                                          \
		while (bisect_low < bisect_high) {                                                                     \
			size_t i = bisect_low + (bisect_high - bisect_low) / 2;                                        \
			if (condition)                                                                                 \
				bisect_high = i;                                                                       \
			else                                                                                           \
				bisect_low = i + 1;                                                                    \
		}                                                                                                      \
		bisect_low;                                                                                            \
	})

/* The order of two values, for qsort; the next one decides between equal ones: ORDER(a, b) ?: ORDER(c, d). */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* The sum of a term, an expression of the index; a condition counts as one. */
#define SUM(i, count, term)                                                                                            \
	({                                                                                                             \
		uint64_t sum = 0;                                                                                      \
		for (size_t i = 0; i < (count); i++)                                                                   \
			sum += (term);                                                                                 \
		sum;                                                                                                   \
	})
