#include "base/setup/limits.h"

#include <stddef.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
#define KEY(member) offsetof(struct limits, member)
/* More than any file has, and eight times as much fits 64 bits; positions in lists have 32 bits, those in maps 31. */
#define MOST (UINT64_C(1) << 48)
#define INDICES (UINT64_C(1) << 31)

const struct limit_key limit_keys[] = {
	{ "input-bytes", "bytes of one dump after decompression", KEY(input_bytes), 64 * GIB, 1, MOST },
	{ "inflate-ratio", "decompressed bytes per compressed byte past the first MiB", KEY(inflate_ratio), 1000, 1,
		MIB },
	{ "line-bytes", "bytes of one line; the rest of a longer line is skipped", KEY(line_bytes), MIB, 256, GIB },
	{ "guide-line-bytes", "bytes of one line for extract --as-guide", KEY(guide_line_bytes), 64 * MIB, 256,
		GIB * 1024 },
	{ "event-bytes", "bytes of one event of a trace; a longer one is skipped", KEY(event_bytes), MIB, 256, GIB },
	{ "sort-bytes", "memory to put the events of a trace in order of time", KEY(sort_bytes), 64 * MIB,
		2 * LIMITS_EVENT_BYTES, 64 * GIB, .former = "window-events", .former_unit = LIMITS_EVENT_BYTES },
	{ "spill-bytes", "bytes of a temporary file for the events beyond sort-bytes", KEY(spill_bytes), 4 * GIB, 0,
		MOST },
	{ "threads", "threads of one trace that are kept apart", KEY(threads), 1024, 1, 65536 },
	{ "held-calls", "nodes of an execution trace that wait for their parents and their step", KEY(held_calls),
		256 * 1024, 2, INDICES },
	{ "launches", "launches of a trace whose device time can be attributed", KEY(launches), 2 * MIB, 64, INDICES },
	{ "operators", "distinct operators in a profile", KEY(operators), 10000, 1, INDICES },
	{ "names", "distinct other names; more are counted by class", KEY(names), 50000, 1, INDICES },
	{ "shapes", "distinct operators x shapes x ranks in a profile", KEY(shapes), 100000, 1, INDICES },
	{ "step-runs", "runs of steps kept for one operator x shapes", KEY(step_runs), 64, 2, INDICES },
	{ "links", "distinct links of operators with parents, modules and lines of source", KEY(links), 100000, 1,
		INDICES },
	{ "placed-calls", "calls of a trace whose module and line of source are looked for", KEY(placed_calls), 131072,
		1, INDICES },
	{ "frames", "frames of Python and spans of the user in a trace that are kept", KEY(frames), 262144, 1,
		INDICES },
	{ "open-frames", "frames inside of each other", KEY(open_frames), 1024, 1, 65536 },
	{ "places", "distinct modules and lines of source", KEY(places), 20000, 1, INDICES },
	{ "step-turns", "operators of a step kept in the order in which they ran", KEY(step_turns), 65536, 1, INDICES },
	{ "streams", "ranks of one file that are kept apart", KEY(streams), 1024, 1, 65536 },
	{ "foreign-lines", "foreign lines in a row before a table counts as ended", KEY(foreign_lines), 200, 1, MOST },
	{ "csv-columns", "columns of a CSV table", KEY(csv_columns), 1024, 1, 65536 },
	{ "csv-cell-bytes", "bytes of one cell of a CSV table; a row with a longer one is skipped", KEY(csv_cell_bytes),
		MIB, 256, GIB },
	{ "list-bytes", "bytes of an operator list in JSON", KEY(list_bytes), 16 * MIB, 1, GIB },
	{ "info-bytes", "bytes of the profiler_info.json of a folder; a longer one is not read", KEY(info_bytes), MIB,
		1, GIB },
	{ "held-dumps", "dumps that were read and wait for another one of the same run", KEY(held_dumps), 4, 1, 4096 },
	{ "archive-members", "members of one archive", KEY(archive_members), 4096, 1, INDICES },
	{ "folder-files", "entries of a folder that are looked at", KEY(folder_files), 10000, 1, INDICES },
	{ "folder-depth", "folders inside each other", KEY(folder_depth), 8, 1, 64 },
	{ "database-steps", "million instructions of SQLite for a profiler's database", KEY(database_steps), 5000, 1,
		MOST },
	{ "database-seconds", "seconds of reading a profiler's database", KEY(database_seconds), 300, 1, INDICES },
	{ "database-bytes", "memory for the calls of a profiler's database and their texts", KEY(database_bytes),
		512 * MIB, 4096, 64 * GIB },
	{ "script-bytes", "bytes of one script that is scanned; a longer one is not read", KEY(script_bytes), 4 * MIB,
		1, GIB },
	{ "script-seconds", "seconds of parsing one script, in pieces of some thousand lines each", KEY(script_seconds),
		10, 1, 3600 },
	{ "scan-bytes", "bytes of all scripts of a scan; further ones are not read", KEY(scan_bytes), 64 * MIB, 1,
		GIB },
	{ "scan-files", "files of a scan; further ones are not looked at", KEY(scan_files), 20000, 1, INDICES },
	{ "scan-findings", "findings of a scan; further ones are counted", KEY(scan_findings), 100000, 1, INDICES },
	{ "python-seconds", "seconds that `doctor` waits for the Python it asks", KEY(python_seconds), 10, 1, 3600 },
	{ "bucket-values", "sizes of one dimension that a bucket plan keeps apart", KEY(bucket_values), 512, 2, 4096 },
	{ "bucket-dims", "dimensions that a bucket plan has", KEY(bucket_dims), 64, 1, 65536 },
	{ "listed-shapes", "shapes of one operator that a report lists", KEY(listed_shapes), 200, 1, MOST },
	{ "overlay-bytes", "bytes of one overlay", KEY(overlay_bytes), 8 * MIB, 1, GIB },
	{ "waiver-bytes", "bytes of one file of waivers", KEY(waiver_bytes), MIB, 1, GIB },
	{ "pack-bytes", "bytes of a database in a pack", KEY(pack_bytes), 512 * MIB, 1, 64 * GIB, true },
	{ "upload-bytes", "bytes of one upload to the service", KEY(upload_bytes), 2 * GIB, 1, MOST, true, true },
	{ "upload-files", "files of one upload to the service", KEY(upload_files), 256, 1, 4096, true, true },
	{ "upload-seconds", "seconds that one upload may take", KEY(upload_seconds), 3600, 1, INDICES, true, true },
	{ "report-bytes", "bytes of one report as JSON", KEY(report_bytes), 128 * MIB, 1, 4 * GIB, true },
	{ "report-rows", "rows of any list on a page of the service; JSON and CSV have all", KEY(report_rows), 1000, 1,
		INDICES, true },
	{ "jobs", "jobs of the service at one time; a processor each", KEY(jobs), 2, 1, 64, true, true },
	{ "small-bytes", "bytes of a dump that has a slot beyond jobs; 0: none", KEY(small_bytes), MIB, 0, MOST, true,
		true },
	{ "renderings", "reports that are rendered or compared at one time", KEY(renderings), 2, 1, 32, true, true },
	{ "event-streams", "streams of the events of jobs at one time", KEY(event_streams), 64, 0, 65536, true },
	{ "caller-streams", "streams of events of one token or address at one time", KEY(caller_streams), 8, 0, 65536,
		true, true },
	{ "job-queue", "jobs that wait; more are refused", KEY(job_queue), 64, 1, INDICES, true, true },
	{ "job-attempts", "times that a job is started when its process or its service is killed", KEY(job_attempts), 3,
		1, INDICES, true, true },
	{ "lease-seconds", "seconds without a sign of life after which another service does the jobs of one",
		KEY(lease_seconds), 30, 2, 3600, true, true },
	{ "job-seconds", "seconds that one job may take", KEY(job_seconds), 60, 1, INDICES, true, true },
	{ "job-processor-seconds", "seconds of processor that one job may take", KEY(job_processor_seconds), 600, 1,
		INDICES, true },
	{ "job-bytes", "memory that one job may take beside the program", KEY(job_bytes), GIB, 64 * MIB, MOST, true },
	{ "rendering-bytes", "memory that one rendering or comparison of reports may take beside the program",
		KEY(rendering_bytes), 384 * MIB, 64 * MIB, MOST, true },
	{ "cache-bytes", "memory and files for answers that are asked for again", KEY(cache_bytes), 64 * MIB, 0, GIB,
		true },
	{ "max-answer-bytes", "memory and files for answers on their way, beside cache-bytes", KEY(answer_bytes),
		256 * MIB, MIB, MOST, true, true },
	{ "workers", "threads for answers that take long: lists, and forms that are not in memory", KEY(workers), 4, 1,
		64, true },
	{ "readers", "queries to the store at one time, beside those of workers", KEY(readers), 8, 1, 64, true },
	{ "query-seconds", "seconds that one query to the store may take", KEY(query_seconds), 10, 1, INDICES, true },
	{ "connections", "connections to the service at one time; at most half of its descriptors", KEY(connections),
		65536, 64, 65536, true },
	{ "connection-bytes", "memory of one connection: request line, headers", KEY(connection_bytes), 20480, 8192,
		GIB, true },
	{ "connection-seconds", "seconds that a connection may stay silent", KEY(connection_seconds), 30, 1, INDICES,
		true },
	{ "header-seconds", "seconds for the head of a request; grace for the rest", KEY(header_seconds), 60, 1,
		INDICES, true },
	{ "transfer-rate", "bytes a second that bodies and answers must make", KEY(transfer_rate), 4096, 1, GIB, true },
	{ "address-connections", "connections of one address at one time", KEY(peer_connections), 1024, 1, 65536,
		true },
	{ "minute-requests", "requests a minute of one token or address", KEY(minute_requests), 600, 1, INDICES, true,
		true },
	{ "hour-bytes", "bytes an hour that one token or address sends", KEY(hour_bytes), 64 * GIB, 1, MOST, true,
		true },
	{ "free-bytes", "free space on disk below which no dump is taken", KEY(free_bytes), 64 * MIB, 0, MOST, true,
		true },
	{ "caller-jobs", "jobs of one token or address that wait or run", KEY(caller_jobs), 32, 1, INDICES, true,
		true },
	{ "keep-days", "days that runs are kept; 0: for ever", KEY(keep_days), 0, 0, INDICES, true, true },
	{ "project-assessments", "runs kept of one project, the newest; 0: all", KEY(project_assessments), 0, 0, MOST,
		true, true },
	{ "project-bytes", "bytes kept of one project, the newest; 0: all", KEY(project_bytes), 0, 0, MOST, true,
		true },
	{ "blockers", "operators of a run that are counted: in use, and blocking on one target", KEY(blockers), 200, 1,
		INDICES, true, true },
	{ "comparisons", "comparisons kept of one assessment; others are made again", KEY(comparisons), 64, 1, INDICES,
		true, true },
	{ "ticket-days", "days that a job is known after its end", KEY(ticket_days), 30, 1, INDICES, true, true },
	{ "tickets", "jobs that are known after their end", KEY(tickets), 100000, 1, INDICES, true, true },
	{ "audit-days", "days that entries of the audit log are kept", KEY(audit_days), 400, 1, INDICES, true, true },
	{ "audits", "entries of the audit log that are kept", KEY(audits), 1000000, 1, INDICES, true, true },
	{ "webhook-attempts", "times that a message to the webhook is sent until it is taken", KEY(webhook_attempts), 8,
		1, 32, true },
	{ "webhook-pause", "seconds before the second attempt; doubled each time, an hour at most", KEY(webhook_pause),
		30, 1, 3600, true },
	{ "webhook-seconds", "seconds of one attempt", KEY(webhook_seconds), 10, 1, 300, true },
	{ "stop-seconds", "seconds that running requests get when the service ends", KEY(stop_seconds), 30, 0, INDICES,
		true, true },
};
const size_t limit_key_count = ARRAY_SIZE(limit_keys);

static uint64_t *member(struct limits *limits, const struct limit_key *key)
{
	return (uint64_t *)((char *)limits + key->offset);
}

uint64_t limits_get(const struct limits *limits, const struct limit_key *key)
{
	return *(const uint64_t *)((const char *)limits + key->offset);
}

void limits_copy(struct limits *limits, const struct limits *others, const struct limit_key *key)
{
	*member(limits, key) = limits_get(others, key);
}

struct limits limits_default(void)
{
	struct limits limits;

	for (size_t i = 0; i < limit_key_count; i++)
		*member(&limits, &limit_keys[i]) = limit_keys[i].initial;
	return limits;
}

static unsigned unit_shift(char unit)
{
	return unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
}

static bool parse_count(struct str text, uint64_t *ret)
{
	unsigned shift = text.len ? unit_shift(text.ptr[text.len - 1]) : 0;
	uint64_t count;

	if (!decimal_unsigned(shift ? str_chop(text, 1) : text, &count) || count > UINT64_MAX >> shift)
		return false;
	*ret = count << shift;
	return true;
}

/* Returns the limit with this name, or NULL. *ret_unit: units of the limit in one of the name's, more than 1 for an
   earlier name. */
static const struct limit_key *key_named(struct str name, uint64_t *ret_unit)
{
	for (size_t i = 0; i < limit_key_count; i++) {
		const struct limit_key *key = &limit_keys[i];
		bool is_former = key->former && str_eq(str_from(key->former), name);

		*ret_unit = is_former ? key->former_unit : 1;
		if (is_former || str_eq(str_from(key->name), name))
			return key;
	}
	return NULL;
}

int limits_set(struct limits *limits, struct str assignment, struct err *err)
{
	struct str name, value = assignment;
	const struct limit_key *key;
	uint64_t count, unit;

	str_cut(&value, '=', &name);
	key = key_named(name, &unit);
	if (!key) {
		err_set(err, ERR_VALUE, "unknown limit");
		return err_hint(err, "`opcheck help limits` lists them");
	}
	if (value.ptr && parse_count(value, &count) && count <= key->max / unit && count * unit >= key->min) {
		*member(limits, key) = count * unit;
		return 0;
	}
	err_set(err, ERR_VALUE, "limit %s needs a whole number from %llu to %llu", shown(name).text,
		(unsigned long long)(key->min / unit), (unsigned long long)(key->max / unit));
	return err_hint(err, "for example --limit %s=%llu; K, M and G are powers of 1024", key->name,
		(unsigned long long)key->initial);
}
