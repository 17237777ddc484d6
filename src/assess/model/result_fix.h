#pragma once
/* What would help, and how much work it is. See result.h. */
#include "base/words.h"

struct result_interval {
	int64_t lo_ppm, hi_ppm;
};

/* What the fastest path to ready is made of; FIX_SETTLE: find out what a condition or an unknown comes to. */
enum fix_kind { FIX_RELEASE, FIX_PACKAGE, FIX_SETTLE, FIX_REPLACE };

/* The work of a way out of a finding, from the least to the most. */
enum effort { EFFORT_FLAG, EFFORT_CONFIG, EFFORT_RECIPE, EFFORT_PACKAGE, EFFORT_UPGRADE, EFFORT_PORT, EFFORT_COUNT };

/* One step of the greedy way to ready: what to do, and how ready the target is after it and those before. */
struct result_fix {
	enum fix_kind kind;
	struct str what; /* the release, the package, the operator */
	enum effort effort;
	struct str *operators; /* that it lifts, largest share first; some of them */
	size_t operator_count;
	uint64_t operator_total;                    /* all of them */
	struct result_interval readiness, coverage; /* by time */
	struct result_interval aicpu;               /* by time: what is left on the AI CPU of an NPU */
	uint64_t blockers;                          /* operators left that are unsupported or need a package */
};

extern const struct words fix_words, effort_words;
