#pragma once
/* Assessments in the store: looking them up, listing them and adding one. All text lives in the arena that is given. */
#include "base/buf.h"
#include "store/store.h"
#include "store/upload.h"

struct record_verdict {
	struct str target, verdict, gate;
};

/* An assessment without its report. */
struct record {
	uint64_t number; /* order of arrival, from 1 */
	struct str id, created_at, name, input_sha256, options, db_sha256, tool_version;
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

/* The time, as created_at says it. */
void record_time(char ret[RECORD_TIME_BYTES]);

/* 1 with *ret filled, 0 when there is no such assessment, or an error. */
int store_find(struct store *store, struct str id, struct arena *arena, struct record *ret, struct err *err);

/* What an assessment answers with, compressed by gzip. */
struct stored_document {
	struct str id, form; /* of the assessment; "json" is its report */
	struct str packed;
	uint64_t bytes; /* before compression */
};

/* Looks up packed and bytes for id and form: 1, 0 when there is none, or an error: ERR_STORE_DAMAGED when it is not
   what was kept. */
int store_document(struct store *store, struct stored_document *document, struct arena *arena, struct err *err);

/* Keeps what was rendered of a report, beside it. */
int store_keep_document(struct store *store, const struct stored_document *document, struct err *err);

/* At most max assessments older than the one with number before (0: the newest ones). */
int store_list(struct store *store, uint64_t before, size_t max, struct arena *arena, struct record_list *ret,
	struct err *err);

/* Keeps an assessment with its report and its dump. 1 when it is new; 0 when one with its id was there already, which
   *record then is. Numbers are given here. */
int store_keep(struct store *store, struct record *record, const struct stored_document *report, struct upload *upload,
	struct arena *arena, struct err *err);
