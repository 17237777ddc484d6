#pragma once
/*
 * One dump on every release of every target: how ready each is, what blocks there and what the release before blocked,
 * and the smallest move that leads to a release on which nothing blocks.
 *
 * Blockers are operators that certainly do not run; of unknown ones nothing is known; doubtful ones may not run, on a
 * condition.
 */
#include "assess/judge/composite.h"
#include "assess/judge/readiness.h"

#define SURVEY_NONE SIZE_MAX

struct survey_set {
	uint32_t *items; /* positions in the survey's operators, ascending */
	size_t count;
};

struct survey_release {
	struct target target;
	struct result_target figures; /* readiness, coverage, counts, verdict and word alone */
	struct survey_set blockers, unknown, doubts, host, aicpu; /* aicpu: on that of an NPU, or may be */
	bool needs_packages; /* they clear all that blocks, and nothing is unknown */
	size_t against;      /* the release that it is compared with, SURVEY_NONE for the first of a target */
	struct survey_set fixed, fresh; /* blockers there and not here; here and not there */
};

/* From the release where the user is to the nearest one with the fewest blockers and unknown operators. */
struct survey_move {
	size_t from, to;        /* positions; equal: no move is needed, or none helps */
	bool given;             /* the user named from; else it is the newest stable release */
	bool clears;            /* nothing blocks on `to`, and nothing is unknown there */
	unsigned releases;      /* stable ones that lie between, `to` counted */
	bool packages;          /* they clear from, so that no move is needed */
	bool other_torch, back; /* `to` is for another PyTorch; it comes before from */
	struct survey_set cleared, left,
		fresh;  /* blockers and unknown operators of from: gone, still there; new ones of `to` */
	size_t kernels; /* the nearest release for this PyTorch whose CANN takes most off the AI CPU, or SURVEY_NONE */
	struct survey_set off_aicpu;
};

struct survey_operator {
	struct str name;
	int64_t share_ppm;
};

struct survey_options {
	bool against_given;          /* releases are compared with those asked for, not with the one before */
	bool left_out[TARGET_COUNT]; /* targets whose releases are not listed */
};

struct survey {
	enum basis basis;
	struct survey_operator *operators; /* largest share first */
	size_t operator_count;
	struct survey_release *releases; /* in the order of the database */
	size_t count;
	struct survey_move *moves; /* one a target */
	size_t move_count;
};

struct survey_request {
	const struct judge *judge; /* brief, with its call_facts, better without texts; its arena is overwritten */
	const struct weights *weights;
	const size_t *order;       /* of the operators, by share */
	const struct target *from; /* where the user is, one a target; its chip holds for all releases of the target */
	size_t from_count;
	struct survey_options options;
	bool hides_operators;
};

/* Surveys all releases that the database has; everything in *ret lives in arena and in the database. ERR_DB_DAMAGED,
   ERR_LIMIT, ERR_TARGET where two `from` are of one target. */
int survey_releases(const struct survey_request *request, struct arena *arena, struct survey *ret, struct err *err);
