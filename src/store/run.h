#pragma once
/*
 * Runs: an assessment is content, a run is one submit of it by a team. Runs are listed, renamed, kept and removed; an
 * assessment is removed with its last run. A project limits all look-ups to its runs; "": any. All text lives in the
 * arena that is given.
 */
#include "store/assessments.h"

enum { RUN_ID_BYTES = 16, RUN_WORD_BYTES = 128, RUN_TAGS = 16 };

/* Promises that a run keeps, in its transaction: the answer of a key, and the end of a ticket. */
struct run_claim {
	struct str owner, key;     /* of the key; "": none */
	struct str ticket, holder; /* "": none; who must have the lease on either, "": anyone */
	unsigned status;           /* of the key's answer; status_new: when the assessment is new */
	unsigned status_new;
};

struct run {
	uint64_t number; /* order of arrival, from 1 */
	struct str id, created_at;
	struct str project;                 /* of who submitted it; "": none */
	struct str name;                    /* "": the dump's */
	struct str model, branch, revision; /* "": not said */
	struct str tags;                    /* joined by blanks, in the order of their bytes, each once */
	struct str verdict;                 /* the gravest of its targets */
	bool kept;                          /* retention leaves it */
	struct stored_assessment record;
	struct run_claim claim;
	struct str former; /* of one that was judged again just now: id of the assessment before; ptr NULL: none */
	struct stored_blocker *blockers; /* of one to keep; each pair of target and operator once */
	size_t blocker_count;
	struct str *used; /* of one to keep: its operators, each once */
	size_t used_count;
};

/* Find runs by a prefix of their id: as store_find_like. */
int store_find_runs(
	struct store *store, const struct id_like *like, struct arena *arena, struct run *ret, struct err *err);

struct run_query {
	struct list_page page;
	enum run_order { RUN_ARRIVAL, RUN_MODEL, RUN_BRANCH, RUN_VERDICT } order; /* then by arrival */
	bool ascending;   /* page.before is the number to go on behind then */
	struct str after; /* the word of that run, of an order by one; ptr NULL: from the start */
	struct str model, branch, tag, verdict;
	struct str search; /* text in name, model, branch, revision or tags; at least RUN_SEARCH_LETTERS */
};
enum { RUN_SEARCH_LETTERS = 3, RUN_SEARCH_TOTAL = 1000 };

struct run_list {
	struct run *items;
	size_t count;
	bool more;
	uint64_t total; /* that the query finds; of a search at most RUN_SEARCH_TOTAL, and whether there are more */
	bool more_than_total;
};

/* Of one model: of a project and a branch, "" of none. */
struct trend_query {
	struct str project, model, branch;
	size_t max;
	uint64_t before; /* a number; 0: any */
};

/* Its newest runs, the newest first, however many other runs there are; neither counted nor with a word of more. */
int store_list_trend(struct store *store, const struct trend_query *query, struct arena *arena, struct run_list *ret,
	struct err *err);

/* --- for the store alone; hold the lock of the connection */

struct db;

/* Reads the verdicts of all runs of a list. */
int run_list_read_verdicts(struct db *db, struct arena *arena, const struct run_list *list, struct err *err);

/* store_list_trend and store_find_runs on a connection. */
int run_list_trend(
	struct db *db, const struct trend_query *query, struct arena *arena, struct run_list *ret, struct err *err);
int run_find(struct db *db, const struct id_like *like, struct arena *arena, struct run *ret, struct err *err);
