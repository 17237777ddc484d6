#pragma once
/* The calls of a device's dump with the time that each took there: what predictions and ratios are held against. */
#include "assess/estimate/calls.h"
#include "assess/estimate/roofline.h"
#include "base/memory/mem.h"
#include "io/source.h"

/* Calls of one kind. */
struct measured_call {
	struct call_cost cost;
	double calls, kernels; /* kernels of one call */
	int64_t device_ns;     /* of all */
};

struct measured {
	MEM_LIST(struct measured_call) items;
};

/* The calls of a profile that launched something. */
void measured_of_calls(const struct calls *calls, struct measured *ret);

/* The kernels of a table of CANN (kernel_details.csv, op_summary.csv), collectives left out. *ret_table is false, and
   nothing added, for any other file. Errors are those of the source. */
int measured_of_kernels(
	struct source *source, const struct limits *limits, struct measured *ret, bool *ret_table, struct err *err);

/* Sums of a class on a chip, and of all: WORK_COUNT. */
struct measured_sum {
	uint64_t calls, known_calls;
	int64_t measured_ns, known_ns; /* known: of calls with a cost */
	int64_t roofline_ns, base_ns, at_ns[RATIO_COUNT];
};
void measured_sums(const struct measured *measured, const struct chip_peaks *chip, const struct ratio_table *table,
	struct measured_sum ret[WORK_COUNT + 1]);
