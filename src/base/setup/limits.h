#pragma once
/*
 * All bounds on the cost of an input, in one table: name, default and meaning of each.
 *
 * A limit that is reached is never silent: it is an error (ERR_LIMIT) or a warning of the report.
 */
#include "base/setup/err.h"
#include "base/view/str.h"

enum { LIMITS_EVENT_BYTES = 48 }; /* that one event of a trace takes while it is sorted */

/* limit_keys describes each; comments are on names that need one. */
struct limits {
	/* Reading dumps. */
	uint64_t input_bytes, inflate_ratio, line_bytes, guide_line_bytes, event_bytes;
	uint64_t sort_bytes;  /* memory in which the events of a trace are put in order of time */
	uint64_t spill_bytes; /* of a temporary file for the events beyond sort_bytes */
	uint64_t held_calls;  /* nodes of an execution trace that wait for their parents and their step */
	uint64_t threads, launches, foreign_lines, csv_columns, csv_cell_bytes, list_bytes, info_bytes, held_dumps;
	uint64_t archive_members, folder_files, folder_depth;
	uint64_t database_steps; /* of reading a profiler's own database, in millions of SQLite's instructions */
	uint64_t database_seconds, database_bytes;

	/* Profiles. */
	uint64_t operators, names;
	uint64_t shapes;    /* distinct operator x shapes x stream */
	uint64_t step_runs; /* runs of steps kept for one operator x shapes */
	uint64_t links;     /* distinct links: operator and parent, module or line of source */
	uint64_t placed_calls, frames, open_frames, places, step_turns, streams;

	/* Checks, scans and plans. */
	uint64_t overlay_bytes, waiver_bytes, pack_bytes, listed_shapes, bucket_values, bucket_dims;
	uint64_t script_bytes, script_seconds, scan_bytes, scan_files, scan_findings, python_seconds;

	/* The service. */
	uint64_t upload_bytes, upload_files, upload_seconds, report_bytes, report_rows, cache_bytes, webhook_seconds;
	uint64_t jobs, small_bytes, renderings, event_streams, caller_streams, job_queue, job_attempts, job_seconds,
		job_processor_seconds, job_bytes, rendering_bytes, lease_seconds;
	uint64_t answer_bytes, workers, readers, query_seconds, connections, connection_bytes, connection_seconds,
		stop_seconds, webhook_attempts, webhook_pause;
	uint64_t header_seconds, transfer_rate, peer_connections, minute_requests, hour_bytes, free_bytes, blockers;
	uint64_t caller_jobs, keep_days, project_assessments, project_bytes, comparisons, ticket_days, tickets,
		audit_days, audits;
};

/* One row per member of struct limits. */
struct limit_key {
	const char *name; /* on the command line and in the configuration: "line-bytes" */
	const char *help; /* one English sentence */
	size_t offset;    /* of the member */
	uint64_t initial, min, max;
	bool service;         /* bounds the service; a report does not depend on it */
	bool live;            /* may change while the service runs */
	const char *former;   /* an earlier name that is still accepted; NULL: none */
	uint64_t former_unit; /* bytes of one of what the earlier name counted */
};

extern const struct limit_key limit_keys[];
extern const size_t limit_key_count;

/* All limits at their defaults. */
struct limits limits_default(void);

/* The limit with this key, and giving it the value that it has in others. */
uint64_t limits_get(const struct limits *limits, const struct limit_key *key);
void limits_copy(struct limits *limits, const struct limits *others, const struct limit_key *key);

/* Sets one limit from "name=value"; the value is a count with an optional K, M or G (powers of 1024). ERR_VALUE. */
int limits_set(struct limits *limits, struct str assignment, struct err *err);
