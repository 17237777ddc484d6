#pragma once
/*
 * Estimated against measured device times: each dump of a device is predicted by the ratios of the others, and by those
 * of the database.
 *
 * A dump is a workload. In a cell (class of work and size) its ratio is measured time over possible time; it speaks for
 * a class that is 2 % of its time. Quantiles are those of workloads, by nearest rank.
 */
#include "check/score/timed_dump.h"

struct time_score {
	struct timed_dump *items;
	size_t count;
};

/* The errors of timed_dump_read and timing_facts_get. */
int time_score_run(const struct time_score_request *request, struct time_score *ret, struct err *err);
void time_score_clear(struct time_score *score);

/* The larger of both over the smaller: 1 is exact; 0 where either is unknown. */
double time_factor(int64_t estimated_ns, int64_t measured_ns);

/* Factors of totals at a share of the dumps, by nearest rank: 0.5, 0.8, 1. */
double time_score_factor(const struct time_score *score, double share);

/* Ratios of all dumps as an overlay for --overlay, of family "all". */
void time_score_put_ratios(const struct time_score *score, struct buf *out);
