#pragma once
/*
 * Every bound on what an input may cost, in one place: name, default and meaning of each stand in one table.
 *
 * A limit that is reached is never silent: it is an error (ERR_LIMIT) or a warning of the report.
 */
#include "base/err.h"
#include "base/str.h"

enum { LIMITS_EVENT_BYTES = 48 }; /* that one event of a trace takes while it is sorted */

struct limits {
	uint64_t input_bytes;      /* of one dump, after decompression */
	uint64_t inflate_ratio;    /* decompressed bytes per compressed byte, past the first MiB */
	uint64_t line_bytes;       /* of one line; the rest of a longer line is skipped and counted */
	uint64_t guide_line_bytes; /* of one line for `extract --as-guide`, which must hold it whole */
	uint64_t event_bytes;      /* of one event of a trace; a longer one is skipped and counted */
	uint64_t sort_bytes;       /* memory in which the events of a trace are put in order of time */
	uint64_t spill_bytes;      /* of a temporary file for the events beyond sort_bytes */
	uint64_t threads;          /* of one trace that are kept apart */
	uint64_t held_calls;       /* nodes of an execution trace that wait for their parents and their step */
	uint64_t launches;         /* of a trace whose work on the device can be attributed */
	uint64_t operators;        /* distinct operators in a profile */
	uint64_t names;            /* distinct other names; the ones after that are counted by class */
	uint64_t shapes;           /* distinct operator x shapes x stream */
	uint64_t step_runs;        /* runs of steps kept for one operator x shapes */
	uint64_t links;            /* distinct links of a profile: operator and parent, module or line of source */
	uint64_t placed_calls;     /* of a trace whose module and line of source can be found */
	uint64_t frames;           /* of Python, and spans of the user, in a trace */
	uint64_t open_frames;      /* of them inside of each other */
	uint64_t places;           /* distinct modules and lines of source */
	uint64_t step_turns;       /* operators of one step that are kept in the order in which they ran */
	uint64_t streams;          /* ranks of one file that are kept apart */
	uint64_t foreign_lines;    /* lines inside a table that are no rows before it counts as ended */
	uint64_t overlay_bytes;    /* of one file of a site's own facts */
	uint64_t waiver_bytes;     /* of one file of waivers */
	uint64_t pack_bytes;       /* of a pack with its database, after decompression */
	uint64_t csv_columns;      /* of a CSV table */
	uint64_t csv_cell_bytes;   /* of one cell; a row with a longer one is skipped and counted */
	uint64_t list_bytes;       /* of an operator list in JSON, which is held whole */
	uint64_t info_bytes;       /* of the file beside a dump that names the releases it was made with */
	uint64_t held_dumps;       /* that were read and wait for another one of the same run */
	uint64_t archive_members;  /* of one archive */
	uint64_t folder_files;     /* entries of a folder that are looked at */
	uint64_t folder_depth;     /* folders inside each other */
	uint64_t database_steps;   /* of reading a profiler's own database, in millions of SQLite's instructions */
	uint64_t database_seconds; /* of reading it */
	uint64_t database_bytes;   /* of memory for its calls and their texts */
	uint64_t listed_shapes;    /* shapes of one operator that a report lists; all are counted */
	uint64_t script_bytes, script_seconds, scan_bytes, scan_files, scan_findings, python_seconds;
	uint64_t bucket_values; /* different sizes of one dimension that a bucket plan keeps apart */
	uint64_t bucket_dims;   /* dimensions that are planned */
	/* of the service: the table says what each bounds */
	uint64_t upload_bytes, upload_files, upload_seconds, report_bytes, report_rows, cache_bytes, webhook_seconds;
	uint64_t jobs, renderings, event_streams, job_queue, job_seconds, job_processor_seconds, job_bytes;
	uint64_t connections, connection_bytes, connection_seconds, stop_seconds, webhook_attempts, webhook_pause;
	uint64_t header_seconds, transfer_rate, peer_connections, minute_requests, hour_bytes, free_bytes, blockers;
	uint64_t caller_jobs, keep_days, project_assessments, project_bytes, ticket_days, tickets, audit_days, audits;
};

/* One row per member of struct limits. */
struct limit_key {
	const char *name; /* as on the command line and in the configuration: "line-bytes" */
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
