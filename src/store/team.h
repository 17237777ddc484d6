#pragma once
/*
 * Figures over all runs: the latest verdict of each model on each target, and the operators that block most runs.
 * They are updated with every run that is added or removed, so that no list scans all runs. A project limits them to
 * its runs; "": any. All text lives in the arena that is given.
 */
#include "store/run.h"

/* A target that the newest run of a model and branch was judged on. */
struct latest_run {
	struct str project, model, branch;
	struct str run, created_at, revision; /* of that run */
	struct stored_verdict verdict;
};

struct latest_query {
	struct str project, model, branch, target, verdict; /* "": any */
	struct str search; /* text in the names of models, ASCII letters of either case; "": any name */
	struct str after_project, after_model, after_branch; /* the last of the page before; "": from the start */
	size_t max;                                          /* models with their branches */
};

struct latest_list {
	struct latest_run *items; /* by project, model, branch and target */
	size_t count;
	bool more;
};

int store_list_latest(struct store *store, const struct latest_query *query, struct arena *arena,
	struct latest_list *ret, struct err *err);

/* The branches of one model; the query's own branch does not matter. */
int store_list_branches(struct store *store, const struct trend_query *query, struct arena *arena,
	struct latest_list *ret, struct err *err);

enum { RECENT_MODELS = 6, RECENT_RUNS = 200 };

struct recent_models {
	struct trend_query items[RECENT_MODELS];
	size_t count;
};

/* The models of the last RECENT_RUNS runs, the one that ran last first; of a project, "": any. */
int store_recent_models(
	struct store *store, struct str project, struct arena *arena, struct recent_models *ret, struct err *err);

/* An operator that keeps runs from being ready. */
struct demand {
	struct str target, op, status; /* op: with the types that decide, as in "aten::sum (complex64)" */
	struct str name, dtypes;       /* apart; dtypes "": none decide */
	uint64_t runs, models;         /* models: whose newest run it is in */
	int64_t mean_share_ppm;
	uint64_t share_ppm; /* of all runs together */
};

struct demand_query {
	struct str project, target; /* target "": all */
	const struct demand *after; /* the last of the page before; NULL: from the start */
	size_t max;
};

struct demand_list {
	struct demand *items; /* what is in most runs first */
	size_t count;
	bool more;
};

int store_list_demand(struct store *store, const struct demand_query *query, struct arena *arena,
	struct demand_list *ret, struct err *err);
