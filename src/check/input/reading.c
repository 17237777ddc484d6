#include "check/input/reading.h"

#include <stdlib.h>

#include "base/value/decimal.h"
#include "base/view/ascii.h"
#include "check/input/ascend.h"
#include "dump/dump.h"
#include "op/profile_merge.h"

bool reading_is_report(struct str head)
{
	enum { HEAD_BYTES = 4096 };

	head = str_sub(head, 0, head.len < HEAD_BYTES ? head.len : HEAD_BYTES);
	return str_starts(str_trim(head), STR("{")) && str_has(head, STR("\"schema_version\""));
}

bool reading_is_no_dump(int status)
{
	return status == -ERR_EMPTY || status == -ERR_FORMAT || status == -ERR_NO_TABLE || status == -ERR_UNREAD ||
	       status == -ERR_COMPRESSION;
}

/* Releases in a profiler_info.json. An unreadable or different file is ignored. */
static void read_info(const char *path, const struct limits *limits, struct device_facts *facts)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT((size_t)limits->info_bytes);
	struct source *source;
	struct str chunk;
	struct err err = { 0 };
	int status = source_open(path, limits, &source, &err);

	if (status)
		return;
	source_skip_digest(source);
	while ((status = source_next(source, &chunk, &err)) == 1 && !text.full)
		buf_add(&text, chunk);
	source_close(source);
	if (!status && !text.full)
		device_observe_info(facts, buf_str(&text));
}

void read_source(struct file_reading *reading, struct source *source, struct read_dump dump,
	const struct reading_options *options)
{
	struct event_sink sink;
	struct dump_context context = { &sink, options->limits, &dump.input.dump };

	dump.part = profile_new(options->limits);
	profile_be_part(dump.part);
	sink = profile_sink(dump.part, STR(""));
	dump.status = dump_read(source, &context, &dump.err);
	if (!dump.status && dump.info)
		read_info(dump.info, options->limits, &dump.input.dump.device);
	dump.input.source = *source_facts(source);
	dump.input.source.name = dump.name;
	source_close(source);
	MEM_PUSH(&reading->dumps, dump);
}

void reading_clear(struct file_reading *reading)
{
	for (size_t i = 0; i < reading->dumps.count; i++)
		profile_free(reading->dumps.items[i].part);
	free(reading->dumps.items);
	arena_clear(&reading->text);
	*reading = (struct file_reading){ .status = 0 };
}

/* The number behind the first "rank" of the name that has one; "rank_3" and "rank-3" too. */
static bool rank_in(struct str name, uint64_t *ret)
{
	for (size_t i = 0; i + 4 < name.len; i++) {
		size_t at = i + 4, end;

		if (!str_starts(str_skip(name, i), STR("rank")))
			continue;
		at += name.ptr[at] == '_' || name.ptr[at] == '-';
		end = at;
		while (end < name.len && is_digit(name.ptr[end]))
			end++;
		if (end > at && decimal_unsigned(str_sub(name, at, end), ret))
			return true;
	}
	return false;
}

/* "worker" of "worker.1700000000000.pt.trace.json"; the time may be missing. */
static struct str worker_in(struct str name)
{
	static const struct str ends[] = { { ".gz", 3 }, { ".zst", 4 } };
	struct str base = path_base(name);
	size_t at;

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		base = str_ends(base, ends[i]) ? str_chop(base, ends[i].len) : base;
	if (!str_ends(base, STR(".pt.trace.json")))
		return STR("");
	base = str_chop(base, sizeof(".pt.trace.json") - 1);
	at = base.len;
	while (at && is_digit(base.ptr[at - 1]))
		at--;
	return at > 1 && at < base.len && base.ptr[at - 1] == '.' ? str_sub(base, 0, at - 1) : base;
}

struct str rank_label(struct arena *arena, struct str folder_rank, const struct dump_facts *facts, struct str name)
{
	uint64_t rank;

	if (folder_rank.len)
		return arena_keep(arena, folder_rank);
	rank = facts->rank;
	if (facts->has_rank || rank_in(name, &rank))
		return arena_printf(arena, "rank%llu", (unsigned long long)rank);
	return arena_keep(arena, worker_in(name));
}
