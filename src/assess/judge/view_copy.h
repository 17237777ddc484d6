#pragma once
/*
 * On which unit CANN's ViewCopy writes a tensor, by its sizes, strides and type.
 *
 * Read in view_copy.cpp (IsAiCoreSupport) of ops-math, equal in CANN 8.3 to 9.1.0; chips from Ascend950 on do not look
 * at the layout. The function that calls it is closed: it may turn a permuted tensor into a transposition first.
 */
#include <stddef.h>
#include <stdint.h>

enum { MOST_DIMS = 16 };

/* The sizes of a tensor, or its strides. */
struct dims {
	int64_t items[MOST_DIMS];
	size_t count;
};

enum view_copy { VIEW_COPY_AICORE, VIEW_COPY_OPEN, VIEW_COPY_AICPU };

/* types: enum dtype, 0 if not recorded. */
enum view_copy view_copy_unit(const struct dims *sizes, const struct dims *strides, unsigned types);
