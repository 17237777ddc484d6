#pragma once
/*
 * Facts that an estimate of device time follows from: the peaks of chips, and how long measured calls took beside the
 * shortest possible time. Both are read from text: opdb/cost, the database, overlays.
 */
#include "opdb/model/work_class.h"

enum peak { PEAK_FP32, PEAK_TF32, PEAK_FP16, PEAK_BF16, PEAK_INT8, PEAK_COUNT };
extern const struct words peak_words;

/* The columns of a row of opdb/cost/chips.tsv. */
enum chip_column {
	CHIP_NAME,
	CHIP_TARGET,
	CHIP_FAMILY,
	CHIP_FP32,
	CHIP_BANDWIDTH = CHIP_FP32 + PEAK_COUNT,
	CHIP_FLOOR,
	CHIP_ASSUMED,
	CHIP_MEASURED,
	CHIP_SOURCE,
	CHIP_PEAKS_CELLS,
};
enum { WORK_RATIO_CELLS = 8 };

struct chip_peaks {
	struct str name, target, family;    /* "910B2", "npu" or "", rows of work_ratio that speak for it */
	double peaks[PEAK_COUNT];           /* TFLOPS; 0: unknown */
	double bandwidth, floor;            /* GB/s; microseconds that a kernel takes at least */
	unsigned assumed;                   /* peaks without a source of their own, 1 << enum peak */
	bool measured;                      /* some run on the family was measured */
	struct str cells[CHIP_PEAKS_CELLS]; /* the row as text */
};

/* By the shortest possible time of a call. */
enum size_bin { BIN_SMALL, BIN_MIDDLE, BIN_LARGE, BIN_ANY };
extern const struct words bin_words;
enum size_bin size_bin_of(double us); /* under 5 us, under 50 us, more */

enum { RATIO_P10, RATIO_P50, RATIO_P90, RATIO_COUNT };

struct work_ratio {
	enum work_class class; /* WORK_COUNT: any */
	struct str family;     /* "all", "nv", "amd", "npu", "musa" or a site's own */
	enum size_bin bin;
	double ratios[RATIO_COUNT]; /* measured over possible time */
	uint64_t calls, workloads;
};

#define CHIP_PEAKS_COLUMNS "chip target family fp32 tf32 fp16 bf16 int8 bandwidth floor assumed measured source"
#define WORK_RATIO_COLUMNS "class family bin p10 p50 p90 calls workloads"

/* Read the cells of a row. NULL, or the name of the column whose cell does not fit. */
const char *chip_peaks_read(const struct str *cells, struct chip_peaks *ret);
const char *work_ratio_read(const struct str *cells, struct work_ratio *ret);
