#pragma once
/* Fixes and their effort. See result.h. */
#include "base/value/words.h"

enum { WHOLE_PPM = 1000000 }; /* all of the time, as shares count it */

struct result_interval {
	int64_t lo_ppm, hi_ppm;
};

/* Steps of the fastest path to ready; FIX_SETTLE: find out what a condition or an unknown comes to. */
enum fix_kind { FIX_RELEASE, FIX_PACKAGE, FIX_SETTLE, FIX_REPLACE };

/* The work of a way out of a finding, from the least to the most. */
enum effort {
	EFFORT_FLAG,
	EFFORT_CONFIG,
	EFFORT_RECIPE,
	EFFORT_PACKAGE,
	EFFORT_UPGRADE,
	EFFORT_AVOID,
	EFFORT_PORT,
	EFFORT_COUNT
};

/* The gain of a fix: shares by time, and operators that do not run. */
struct result_change {
	struct result_interval readiness, coverage;
	int64_t blockers;
};

/* The change by a fix alone, so that any selection of fixes adds up. */
struct result_alone {
	uint64_t after;            /* number of the earlier fix that it builds on, from 1; 0: of none */
	struct result_change here; /* without a move to another release */
	bool has_moved;            /* there is such a move among the fixes, and this is another one */
	struct result_change moved;
};

/* One step of the greedy way to ready: what to do, and how ready the target is after it and those before. */
struct result_fix {
	enum fix_kind kind;
	struct str what;   /* the release, the package, the operator */
	struct str dtypes; /* of an operator: the types that decide; "": none */
	enum effort effort;
	struct str *operators; /* that it lifts, largest share first; some of them */
	size_t operator_count;
	uint64_t operator_total;                    /* all of them */
	struct result_interval readiness, coverage; /* by time */
	struct result_interval aicpu;               /* by time: what is left on the AI CPU of an NPU */
	uint64_t blockers;                          /* operators left that are unsupported or need a package */
	struct result_alone *alone;                 /* NULL in reports of earlier versions */
};
/* Operators on one of several targets, the largest share first. */
struct result_on_target {
	struct str target;
	struct str *operators;
	size_t operator_count;
};
