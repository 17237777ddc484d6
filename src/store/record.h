#pragma once
/* Assessments in the store: looking them up, listing them and adding one. All text lives in the arena that is given. */
#include "base/buf.h"
#include "store/document.h"
#include "store/upload.h"

struct record_verdict {
	struct str target, verdict, gate;
};

/* An assessment without its report. */
struct record {
	uint64_t number; /* order of arrival, from 1 */
	struct str id, created_at, name, input_sha256, options, db_sha256, tool_version;
	struct str project; /* of who submitted it; "": none */
	bool kept;          /* retention leaves it */
	uint64_t input_bytes;
	struct record_verdict *verdicts; /* in the order of the report's targets */
	size_t verdict_count;
};

struct record_list {
	struct record *items; /* newest first */
	size_t count;
	bool more;      /* there are older ones */
	uint64_t total; /* in the store */
};

enum { RECORD_TIME_BYTES = 24 };

/* Seconds since 1970, as created_at says them. */
void record_time(uint64_t seconds, char ret[RECORD_TIME_BYTES]);

/* 1 with *ret filled, 0 when there is no such assessment, or an error. */
int store_find(struct store *store, struct str id, struct arena *arena, struct record *ret, struct err *err);

/* A page of a list: at most max rows older than the one with number before (0: the newest ones). */
struct list_page {
	uint64_t before;
	size_t max;
};

int store_list(struct store *store, const struct list_page *page, struct arena *arena, struct record_list *ret,
	struct err *err);

/* An assessment with its report and its dump. */
struct entry {
	struct record *record;
	const struct stored_document *report;
	struct upload *upload;
};

/* Keeps an assessment. 1 when it is new; 0 when one with its id was there already, which *record then is. Number and
   time are given here. */
int store_keep(struct store *store, const struct entry *entry, struct arena *arena, struct err *err);

/* Says whether retention leaves an assessment: 1, or 0 when there is none. */
int store_set_kept(struct store *store, struct str id, bool kept, struct err *err);

/* Removes an assessment with its documents, kept or not, and its dump unless something else needs it: 1, or 0 when
   there is none. */
int store_remove(struct store *store, struct str id, struct err *err);

/* --- for the store alone */

/* store_remove by number, of one that is not kept, or of any; hold the writer's lock. */
int record_remove(struct store *store, uint64_t number, bool any, struct err *err);
