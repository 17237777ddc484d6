#pragma once
/* A prediction from one run compared with another run on the device: both as results of a check. */
#include "assess/compare/agree.h"

/* A class of work, or all of it: estimated and measured device time, each of one step. */
struct compared_time {
	struct str name; /* "all" is the whole */
	struct time_range estimated;
	int64_t measured_ns;
	int64_t milli; /* estimated over measured, in thousandths; 0: one of both is none */
	bool held;     /* measured lies in the interval */
};

struct comparison {
	struct arena arena;
	const struct result *predicted, *seen; /* not owned */
	bool from_report;                      /* predicted is a report that was saved, not a dump that was just read */
	struct agreement agreement;            /* also of what only one of the two has */
	struct compared_time *times;           /* the whole first, then by class; without an estimate or times: none */
	size_t time_count;
};

/*
 * Compares the verdicts on predicted->targets[target] with what was seen. Operators of the device's run alone have the
 * verdict of the check of that run on the same target, where it has one. Both results must outlive the comparison.
 */
void comparison_make(const struct result *predicted, size_t target, const struct result *seen, struct comparison *ret);
void comparison_clear(struct comparison *comparison);
