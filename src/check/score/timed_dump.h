#pragma once
/* The device times of a dump beside those estimated from shapes: of a trace, or of a kernel table of CANN. */
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

/* Reads one of the files. ERR_VALUE for a chip that is unknown; ERR_NOT_OBSERVABLE for a dump without times of a
   device; the errors of dump_read. */
int timed_dump_read(const struct time_score_request *request, const struct timing_facts *facts, const char *path,
	struct timed_dump *ret, struct err *err);
