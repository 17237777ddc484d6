#pragma once
/* The record of the rows that each statement gives, and the structs that only rows have. */
#include "record/record.h"
#include "store/replicas.h"
#include "store/request_key.h"
#include "store/ticket.h"
#include "store/token.h"
#include "store/work.h"

/* Of the struct of their name, if nothing else is said; run_row lacks the verdicts of the record. */
extern const struct record number_row, text_row, stored_row, found_row, neighbours_row, verdict_row, document_row,
	run_row, added_run_row, removable_row, delivery_row, model_row, branch_row, latest_row, demand_row, use_row,
	key_row, ticket_id_row, ticket_row, ended_row, work_row, work_count_row, replica_row, audit_row, token_row,
	found_token_row;

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
