#pragma once
/*
 * The time of a call on a chip: the shortest possible one, and measured ones of such calls.
 *
 * The roofline is FLOPs over the peak or bytes over the bandwidth, the longer of both; the base adds what a kernel
 * takes at least. A ratio of opdb/cost makes a likely time of it. All are whole picoseconds, at most ROOFLINE_MOST_PS,
 * so that sums do not depend on the order.
 */
#include "assess/estimate/call_cost.h"
#include "assess/model/result_estimate.h"
#include "opdb/db/timing_facts.h"

#define ROOFLINE_MOST_PS (INT64_C(1) << 52) /* of one call: 75 minutes */

/* The ratios of one family by class and bin; all zero where there are none. */
struct ratio_table {
	double ratios[WORK_COUNT][BIN_ANY][RATIO_COUNT];
};
void ratio_table_fill(const struct timing_facts *facts, struct str family, struct ratio_table *ret);

struct call_time {
	int64_t roofline_ps, base_ps;
	int64_t at_ps[RATIO_COUNT]; /* p10, p50, p90 */
};

/* Nanoseconds of so many calls, at most FIGURE_MAX; those at p10, p50 and p90. */
int64_t roofline_sum(int64_t ps, double calls);
struct time_range roofline_span(const struct call_time *time, double calls);
void span_add(struct time_range *to, struct time_range more);

/* Returns whether the chip has a figure for the type of the call. */
bool roofline_is_known(const struct chip_peaks *chip, const struct call_cost *cost);

/* False where it has none. kernels: a call's own, at most 4 count. */
bool roofline_of(const struct chip_peaks *chip, const struct ratio_table *table, const struct call_cost *cost,
	double kernels, struct call_time *ret);
