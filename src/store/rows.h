#pragma once
/* The record of the rows that each statement gives, and the structs that only rows have. */
#include "record/record.h"
#include "store/replicas.h"
#include "store/request_key.h"
#include "store/statement.h"
#include "store/ticket.h"
#include "store/token.h"
#include "store/work.h"

/* By statement; NULL: no column of it is read. */
extern const struct record *const statement_rows[STATEMENT_COUNT];

extern const struct record run_row;    /* struct run, without the verdicts of its record */
extern const struct record number_row; /* struct number_row */

struct number_row {
	uint64_t number;
};
struct text_row {
	struct str text;
};
/* An assessment by the beginning of its id; seen_at: the first run of the project, or "". */
struct found_row {
	struct stored_assessment record;
	struct str seen_at;
};
/* Of a list of assessments. */
struct verdict_row {
	uint64_t assessment;
	struct stored_verdict verdict;
};
/* The ids before and behind one, or "". */
struct neighbours_row {
	struct str before, after;
};
struct document_row {
	struct stored_document document;
	struct str sha256;
};
struct key_row {
	struct request_key key;
	struct str asked_sha256;
	uint64_t created_at, held_until;
};
struct ticket_row {
	struct ticket ticket;
	uint64_t code;
	struct str text, hint, place;
};
/* Of a ticket that ended, or is awaited no longer: key.owner "": it has no key. */
struct ended_row {
	bool awaited;
	struct request_key key;
};
struct token_row {
	struct token token;
	struct str secret_sha256;
};
/* A run that may go. */
struct removable_row {
	uint64_t assessment;
	bool kept;
};
