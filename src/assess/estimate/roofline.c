#include "assess/estimate/roofline.h"

#include <math.h>

#include "base/value/figure.h"

enum { MOST_KERNELS = 4 };

void ratio_table_fill(const struct timing_facts *facts, struct str family, struct ratio_table *ret)
{
	*ret = (struct ratio_table){ 0 };
	for (unsigned work = 0; work < WORK_COUNT; work++) {
		for (unsigned bin = 0; bin < BIN_ANY; bin++) {
			const struct work_ratio *row = timing_ratio(facts, family, work, bin);

			row = row ? row : timing_ratio(facts, STR("all"), work, bin);
			if (row)
				memcpy(ret->ratios[work][bin], row->ratios, sizeof(row->ratios));
		}
	}
}

static int64_t picoseconds(double us)
{
	return figure_round(fmin(us * 1e6, (double)ROOFLINE_MOST_PS));
}

int64_t roofline_sum(int64_t ps, double calls)
{
	return figure_round((double)ps / 1000 * calls);
}

struct time_range roofline_span(const struct call_time *time, double calls)
{
	return (struct time_range){ roofline_sum(time->at_ps[RATIO_P10], calls),
		roofline_sum(time->at_ps[RATIO_P50], calls), roofline_sum(time->at_ps[RATIO_P90], calls) };
}

void span_add(struct time_range *to, struct time_range more)
{
	*to = (struct time_range){ figure_add(to->lo_ns, more.lo_ns), figure_add(to->middle_ns, more.middle_ns),
		figure_add(to->hi_ns, more.hi_ns) };
}

static double peak_of(const struct chip_peaks *chip, const struct call_cost *cost)
{
	return chip->peaks[cost->class == WORK_CONV && cost->peak == PEAK_FP32 ? PEAK_TF32 : cost->peak];
}

bool roofline_is_known(const struct chip_peaks *chip, const struct call_cost *cost)
{
	return !(cost->flops > 0) || peak_of(chip, cost) > 0;
}

bool roofline_of(const struct chip_peaks *chip, const struct ratio_table *table, const struct call_cost *cost,
	double kernels, struct call_time *ret)
{
	double us = cost->bytes / chip->bandwidth / 1e3, base;
	const double *ratios;

	if (!roofline_is_known(chip, cost))
		return false;
	if (cost->flops > 0)
		us = fmax(us, cost->flops / peak_of(chip, cost) / 1e6);
	base = us + chip->floor * fmin(MOST_KERNELS, kernels);
	ret->roofline_ps = picoseconds(us);
	ret->base_ps = picoseconds(base);
	ratios = table->ratios[cost->class][size_bin_of(us)];
	for (unsigned i = 0; i < RATIO_COUNT; i++)
		ret->at_ps[i] = picoseconds(base * ratios[i]);
	return true;
}
