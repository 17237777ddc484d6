#pragma once
/*
 * Estimated against measured device times: each dump of a device, a trace or a kernel table of CANN, is predicted by
 * the ratios of the others, and by those of the database.
 *
 * A dump is a workload. In a cell (class of work and size) its ratio is measured time over possible time; it speaks for
 * a class that is 2 % of its time. Quantiles are those of workloads, by nearest rank.
 */
#include "assess/estimate/roofline.h"
#include "base/setup/limits.h"

struct opdb;

/* Sums of calls. */
struct time_cell {
	uint64_t calls;
	int64_t measured_ns, roofline_ns, base_ns;
	struct time_range estimated; /* by the ratios of the database */
};

/* Behind the sizes: BIN_ANY, all calls that have a cost, and all calls. */
enum { CELL_ALL = BIN_ANY + 1, CELLS };

struct timed_dump {
	struct str file;
	const struct chip_peaks *chip;
	struct time_cell cells[WORK_COUNT + 1][CELLS]; /* by class, the last: of all, and size */
	int64_t others_ns;                             /* p50 by the ratios of other dumps; 0: there is none */
	uint64_t held, classes; /* classes whose time lies between p10 and p90 of the others, of all */
};

struct time_score_request {
	const struct opdb *db;
	const char *const *files;
	size_t count;
	struct str chip; /* of all dumps; "": each names its own */
	const struct limits *limits;
};

struct time_score {
	struct timed_dump *items;
	size_t count;
};

/* ERR_VALUE for a chip that is unknown; ERR_NOT_OBSERVABLE for a dump without times of a device; the errors of
   dump_read and timing_facts_get. */
int time_score_run(const struct time_score_request *request, struct time_score *ret, struct err *err);
void time_score_clear(struct time_score *score);

/* The larger of both over the smaller: 1 is exact; 0 where either is unknown. */
double time_factor(int64_t estimated_ns, int64_t measured_ns);

/* Factors of totals at a share of the dumps, by nearest rank: 0.5, 0.8, 1. */
double time_score_factor(const struct time_score *score, double share);

/* Ratios of all dumps as an overlay for --overlay, of family "all". */
void time_score_put_ratios(const struct time_score *score, struct buf *out);
