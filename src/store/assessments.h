#pragma once
/* Assessments in the store: looking them up and listing them. All text lives in the arena that is given. */
#include "base/memory/buf.h"
#include "store/document.h"
#include "store/upload.h"

struct stored_verdict {
	struct str target, verdict, gate;
	int64_t readiness_lo_ppm, readiness_hi_ppm; /* -1: of an earlier version, not known */
};

/* An operator that keeps a target from being ready. */
struct stored_blocker {
	struct str target, op, status;
	int64_t share_ppm;
};

/* An assessment without its report. */
struct stored_assessment {
	uint64_t number; /* order of arrival, from 1 */
	struct str id, created_at, name, input_sha256, options, db_sha256, tool_version;
	uint64_t input_bytes;
	struct str basis;                /* word of the report's basis; "": of an earlier version, unknown */
	int64_t shown_ppm;               /* of the time in the basis */
	struct stored_verdict *verdicts; /* in the order of the report's targets */
	size_t verdict_count;
};

struct stored_list {
	struct stored_assessment *items; /* newest first */
	size_t count;
	bool more;      /* there are older ones */
	uint64_t total; /* in the store */
};

/* Returns whether shares of both compare, as far as their bases are known. */
bool stored_shares_compare(const struct stored_assessment *before, const struct stored_assessment *after);

enum { STORED_TIME_BYTES = 24 };

/* Seconds since 1970, as created_at says them. */
void stored_time(uint64_t seconds, char ret[STORED_TIME_BYTES]);

/* A prefix of an id. */
struct id_like {
	struct str begin, project;
	size_t max;
};

enum { ID_SHORTEST = 8 };

/* 1 with *ret filled, 0 when there is no such assessment, or an error. */
int store_find(struct store *store, struct str id, struct arena *arena, struct stored_assessment *ret, struct err *err);

/* Find assessments by a prefix of their id, with a run of a project ("": any). Returns their number, at most max,
   with the first ones in ret by id; or an error. created_at is that of the project's first run. */
int store_find_like(struct store *store, const struct id_like *like, struct arena *arena, struct stored_assessment *ret,
	struct err *err);

/* The fewest letters, at least ID_SHORTEST, that no other id begins with. */
int store_shortest(struct store *store, struct str id, size_t *ret, struct err *err);

/* A page of a list: at most max rows older than the one numbered before (0: the newest), of a project ("": any). */
struct list_page {
	uint64_t before;
	size_t max;
	struct str project;
};

int store_list(struct store *store, const struct list_page *page, struct arena *arena, struct stored_list *ret,
	struct err *err);

/* --- for the store alone; hold the lock */

struct db;

/* Reads the verdicts of assessments, all by one statement; and finds one as store_find. */
int records_read_verdicts(
	struct db *db, struct arena *arena, struct stored_assessment *const *records, size_t count, struct err *err);
int stored_find(struct db *db, struct str id, struct arena *arena, struct stored_assessment *ret, struct err *err);
