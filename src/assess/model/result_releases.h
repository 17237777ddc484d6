#pragma once
/* The same dump on every release of the database: how ready each is, what blocks where, and the smallest moves. See
   result.h. */
#include "assess/model/result_fix.h"
#include "assess/model/result_parts.h"
#include "assess/model/result_target.h"

/* One release, with shares by time, and how many operators certainly do not run on it, or are not known there. */
struct result_release {
	struct str id, target, torch, cann, date;
	bool stable;
	enum verdict verdict;
	enum headline_word word;
	struct result_interval readiness, coverage;
	uint64_t blockers, unknown;
};

enum { BLOCKERS_LISTED = 50, MOVE_NAMES = 20 };

/* An operator that blocks on some release: where it blocks, is not known, or may not run; elsewhere it runs. */
enum span_state { SPAN_BLOCKED, SPAN_UNKNOWN, SPAN_CONDITIONAL, SPAN_HOST, SPAN_STATES };
struct result_blocker {
	struct str operator_name;
	int64_t share_ppm;
	struct result_span {
		enum span_state state;
		struct str first, last; /* releases of one target in a row */
	} * spans;
	size_t span_count;
};

/* At most MOVE_NAMES of them. */
struct result_names {
	struct str *items;
	size_t count;
	uint64_t total;
};

/* From the release where the user is to the nearest one with the fewest blockers and unknown operators. */
struct result_move {
	struct str target, from, to; /* npu or musa; releases, the same where no move is needed, or none helps */
	struct str from_torch, to_torch;
	bool clears;                       /* nothing blocks on `to`, and nothing is unknown there */
	bool back;                         /* `to` comes before `from` */
	uint64_t releases;                 /* stable ones that lie between, `to` counted */
	struct result_names cleared, left; /* blockers and unknown operators of `from`: gone, still there */
	struct result_names fresh;         /* new ones of `to` */
	struct str kernels, kernels_cann;  /* the nearest release whose CANN takes most off the AI CPU, or "" */
	struct result_names off_aicpu;
};

struct result_releases {
	struct result_release *items; /* in the order of the database; none: not requested */
	size_t count;
	struct result_blocker *blockers; /* largest share first */
	size_t blocker_count;
	uint64_t blockers_left; /* further ones */
	struct result_move *moves;
	size_t move_count;
};
