#pragma once
/* One target of a result: how ready a model is for it, where the time goes there, and what would help. See result.h. */
#include "assess/model/result_cost.h"
#include "assess/model/result_estimate.h"
#include "assess/model/result_finding.h"
#include "assess/model/result_fix.h"
#include "assess/model/result_parts.h"

struct result_coverage {
	struct result_interval time, calls, operators;
};

struct result_count {
	enum op_status status;
	uint64_t operators;
	int64_t time_ppm;
};

/* Where the time goes; every operator's is in one place, or between those that it may be in. */
struct result_where {
	struct result_interval aicore; /* the cores of the device, on musa the kernels of the GPU */
	struct result_interval aicpu, host, nowhere, unknown;
};

/* The worst first. */
enum headline_word {
	HEADLINE_STOPS,
	HEADLINE_PACKAGE,
	HEADLINE_UNKNOWN,
	HEADLINE_SLOWLY,
	HEADLINE_RUNS,
	HEADLINE_WORDS
};

/* The first lines of a report: one word for the verdict, its cause, and the first thing to do. */
struct result_headline {
	enum headline_word word;
	struct message why, first;     /* id NULL: unknown, in a report of an earlier version */
	uint64_t ranks;                /* of the run; 0: one alone */
	struct str rank;               /* the worst of them */
	struct result_interval spread; /* over them, of the share that stands first */
};

enum gate_state { GATE_NONE, GATE_PASSED, GATE_FAILED };

struct result_target {
	struct str id, plugin, torch, cann, date, fallback;
	struct str asked; /* as the user wrote it; "": by its id or bare name, or not at all */
	struct result_coverage readiness, coverage;
	struct result_where where;
	struct result_count *counts; /* every status that occurs, best first */
	size_t count_count;
	enum verdict verdict;
	struct message reason; /* why, in one sentence; id NULL in a report of an earlier version */
	struct result_headline headline;
	enum gate_state gate;
	struct result_check *checks; /* what the gate looked at */
	size_t check_count;
	struct result_fix *fixes; /* in the order in which they help most */
	size_t fix_count;
	uint64_t fixes_left;                    /* further ones that would help */
	struct result_estimate *estimate;       /* of its device time; NULL in a report of an earlier version */
	struct result_compiling *compiling;     /* NULL: nothing is compiled per shape */
	struct result_fallback *host_transfers; /* NULL: nothing runs on the CPU */
};
