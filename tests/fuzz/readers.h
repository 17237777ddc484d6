#pragma once
/* What fuzz targets hold of a reader of dumps. */
#include "base/memory/mem.h"
#include "dump/common/format.h"
#include "op/profile.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/recorder.h"

/* What a reader tells of a text does not depend on how it is cut into chunks. */
static inline void hold_chunks(
	const struct dump_format *format, struct str text, size_t chunk, const struct limits *limits)
{
	CLEANUP(buf_clear) struct buf whole = BUF_INIT(1 << 26), pieces = BUF_INIT(1 << 26);
	struct dump_facts facts, same;
	struct err err = { 0 }, other = { 0 };
	int status = record_dump(format, text, 0, limits, &whole, &facts, &err);

	HOLD(status == record_dump(format, text, chunk, limits, &pieces, &same, &other));
	HOLD(str_eq(buf_str(&whole), buf_str(&pieces)));
	HOLD(facts.rows == same.rows && facts.skipped_lines == same.skipped_lines && facts.tables == same.tables);
	HOLD(facts.skipped_events == same.skipped_events && facts.cut_at == same.cut_at);
	HOLD(facts.cut_tables == same.cut_tables && facts.aicpu_calls == same.aicpu_calls);
	HOLD(strcmp(facts.encoding, same.encoding) == 0);
	HOLD(status == 0 || (err.text[0] && strcmp(err.text, other.text) == 0 && strcmp(err.where, other.where) == 0));
}

/* What it tells makes a profile within its limits. */
static inline void hold_profile(const struct dump_format *format, struct str text, const struct limits *limits)
{
	struct profile *profile = profile_new(limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct dump_facts facts = { .format = "", .encoding = "" };
	struct dump_context context = { &sink, limits, &facts };
	void *state = format->open(&context);
	struct err err;
	size_t names;

	if (format->feed(state, text, &err) == 0)
		format->finish(state, &err);
	format->close(state);
	profile_finish(profile);
	profile_names(profile, &names);
	HOLD(names <= limits->operators + limits->names + NAME_CLASS_COUNT);
	profile_free(profile);
}
