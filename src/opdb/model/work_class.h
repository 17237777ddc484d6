#pragma once
/*
 * Classes of work on a device, by the names of operators and of CANN's kernels: opdb/cost/classes.tsv, compiled in.
 * Calls of one class have one ratio of measured to possible time; a row also names the formula of their cost.
 */
#include "base/value/words.h"

enum work_class {
	WORK_NONE, /* a view, or memory alone: nothing runs */
	WORK_MATMUL,
	WORK_CONV,
	WORK_ATTENTION,
	WORK_OPTIMIZER,
	WORK_NORM,
	WORK_SOFTMAX,
	WORK_POOL,
	WORK_SORT,
	WORK_GATHER,
	WORK_RANDOM,
	WORK_FILL,
	WORK_COPY,
	WORK_REDUCTION,
	WORK_ELEMENTWISE,
	WORK_CUSTOM, /* of other namespaces: no formula */
	WORK_AICPU,  /* on the AI CPU of an NPU */
	WORK_COUNT,
};

extern const struct words work_words, ratio_words; /* ratio_words: WORK_COUNT is "*", any class */

/* Classes whose time sizes do not decide: held out, their ratios were 6 to 10 times off. */
static inline bool work_is_erratic(enum work_class class)
{
	return class == WORK_POOL || class == WORK_SORT || class == WORK_GATHER || class == WORK_RANDOM ||
	       class == WORK_CUSTOM || class == WORK_AICPU;
}

enum { WORK_NUMBERS = 5 };

struct work {
	enum work_class class;
	struct str formula;           /* as call_cost.c names it; "none" */
	double numbers[WORK_NUMBERS]; /* of the formula; 0: not given */
};

/* Most bytes of a name that is looked up; longer ones are WORK_CUSTOM. */
enum { WORK_NAME_BYTES = 128 };

/* The row for "addmm_" of "aten", and for a kernel type "MatMulV3". Safe from any thread. */
struct work work_of(struct str ns, struct str base);
struct work work_of_kernel(struct str type);
