#pragma once
/* The same dump on every release of the database: how ready each is, what blocks where, and the smallest moves. See
   result.h. */
#include "assess/model/result_fix.h"
#include "assess/model/result_parts.h"
#include "assess/model/result_target.h"
#include "opdb/model/release.h"

/* A report has BLOCKERS_LISTED operators that block, MOVE_NAMES of a move, and counts alone of a release. `advise` has
   all of them, and what it alone shows. */
enum { BLOCKERS_LISTED = 50, MOVE_NAMES = 20 };
struct result_names {
	struct str *items;
	size_t count; /* listed */
	uint64_t total;
};

struct result_release {
	struct str id, target, torch, plugin, cann, date;
	enum release_kind kind;
	bool stable;
	enum verdict verdict;
	enum headline_word word;
	struct result_coverage readiness, coverage;
	struct result_names blockers, unknown; /* certainly do not run; are not known */
	struct result_names doubts, aicpu;     /* may not run, on a condition; are on the AI CPU of an NPU, or may be */
	struct str against;                    /* release that it is compared with; "" for the first of a target */
	struct result_names fixed, fresh;      /* blockers there and not here; here and not there */
};

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

/* From the release where the user is to the nearest one with the fewest blockers and unknown operators. */
struct result_move {
	struct str target, from, to; /* npu or musa; releases, the same where no move is needed, or none helps */
	struct str from_torch, to_torch;
	bool given;                        /* the user named `from`; else it is the newest stable release */
	bool other_torch;                  /* `to` is for another PyTorch */
	bool clears;                       /* nothing blocks on `to`, and nothing is unknown there */
	bool packages;                     /* they clear `from`, so that no move is needed */
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
	uint64_t operator_count; /* of the dump */
	bool against_given;      /* releases are compared with those asked for, not with the one before */
};
