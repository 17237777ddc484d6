#include "opdb/model/timing.h"

#include "base/memory/mem.h"
#include "base/value/decimal.h"

static const struct str peak_items[] = { STR("fp32"), STR("tf32"), STR("fp16"), STR("bf16"), STR("int8") };
const struct words peak_words = { peak_items, PEAK_COUNT, PEAK_COUNT };

static const struct str bin_items[] = { STR("s"), STR("m"), STR("l"), STR("*") };
const struct words bin_words = { bin_items, ARRAY_SIZE(bin_items), BIN_ANY };

enum size_bin size_bin_of(double us)
{
	return us < 5 ? BIN_SMALL : us < 50 ? BIN_MIDDLE : BIN_LARGE;
}

/* A number above 0 with up to six decimals. */
static bool read_number(struct str text, double most, double *ret)
{
	enum { MICRO = 1000000 };
	int64_t value;

	if (!decimal_scaled(text, MICRO, &value) || value <= 0 || (double)value > most * MICRO)
		return false;
	*ret = (double)value / MICRO;
	return true;
}

const char *chip_peaks_read(const struct str *cells, struct chip_peaks *ret)
{
	const double most_tflops = 1e6, most_bandwidth = 1e6, most_floor = 1e3;

	*ret = (struct chip_peaks){
		.name = cells[CHIP_NAME], .target = cells[CHIP_TARGET], .family = cells[CHIP_FAMILY]
	};
	memcpy(ret->cells, cells, sizeof(ret->cells));
	if (!ret->name.len)
		return "chip";
	if (ret->target.len && !str_eq(ret->target, STR("npu")) && !str_eq(ret->target, STR("musa")))
		return "target";
	if (!ret->family.len)
		return "family";
	for (unsigned i = 0; i < PEAK_COUNT; i++) {
		if (cells[CHIP_FP32 + i].len && !read_number(cells[CHIP_FP32 + i], most_tflops, &ret->peaks[i]))
			return peak_items[i].ptr;
	}
	if (!read_number(cells[CHIP_BANDWIDTH], most_bandwidth, &ret->bandwidth))
		return "bandwidth";
	if (!read_number(cells[CHIP_FLOOR], most_floor, &ret->floor))
		return "floor";
	if (cells[CHIP_ASSUMED].len && !words_bits(&peak_words, cells[CHIP_ASSUMED], &ret->assumed))
		return "assumed";
	ret->measured = str_eq(cells[CHIP_MEASURED], STR("1"));
	if (!ret->measured && !str_eq(cells[CHIP_MEASURED], STR("0")))
		return "measured";
	return cells[CHIP_SOURCE].len ? NULL : "source";
}

const char *work_ratio_read(const struct str *cells, struct work_ratio *ret)
{
	enum { CLASS, FAMILY, BIN, RATIOS, CALLS = RATIOS + RATIO_COUNT, WORKLOADS };
	static const char *const names[] = { "p10", "p50", "p90" };
	const double most = 1e6;
	unsigned class, bin;

	*ret = (struct work_ratio){ .family = cells[FAMILY] };
	if (!word_find(&ratio_words, cells[CLASS], &class))
		return "class";
	if (!ret->family.len)
		return "family";
	if (!word_find(&bin_words, cells[BIN], &bin))
		return "bin";
	for (unsigned i = 0; i < RATIO_COUNT; i++) {
		if (!read_number(cells[RATIOS + i], most, &ret->ratios[i]) ||
			(i && ret->ratios[i] < ret->ratios[i - 1]))
			return names[i];
	}
	if (!decimal_unsigned(cells[CALLS], &ret->calls) || !ret->calls)
		return "calls";
	if (!decimal_unsigned(cells[WORKLOADS], &ret->workloads) || !ret->workloads)
		return "workloads";
	ret->class = (enum work_class) class;
	ret->bin = (enum size_bin)bin;
	return NULL;
}
