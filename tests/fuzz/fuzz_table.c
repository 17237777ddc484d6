/*
 * The readers of tables, also in strings of JSON, with a profile behind them, and everything that is said of a profile without a database.
 *
 * The first byte decides how the rest is cut into chunks; the events must be the same as without a cut.
 */
#include "assess/shape/dynamic.h"
#include "assess/judge/readiness.h"
#include "base/memory/mem.h"
#include "dump/common/format.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/recorder.h"

static struct limits small_limits(void)
{
	struct limits limits = limits_default();

	limits.line_bytes = 4096;
	limits.operators = 50;
	limits.names = 50;
	limits.shapes = 100;
	limits.step_runs = 4;
	limits.streams = 8;
	limits.foreign_lines = 10;
	return limits;
}

static void feed(void *state, struct str text, size_t chunk)
{
	struct err err;

	while (text.len) {
		size_t len = text.len < chunk ? text.len : chunk;

		HOLD(dump_table.feed(state, str_sub(text, 0, len), &err) == 0);
		text = str_skip(text, len);
	}
	dump_table.finish(state, &err);
}

static void hold_records(const struct profile *profile, const struct limits *limits)
{
	size_t name_count, use_count, stream_count;
	const struct profile_name *names = profile_names(profile, &name_count);
	const struct profile_use *uses = profile_uses(profile, &use_count);
	const struct profile_stream *streams = profile_streams(profile, &stream_count);

	HOLD(name_count <= limits->operators + limits->names + NAME_CLASS_COUNT);
	for (size_t i = 0; i < use_count; i++) {
		uint32_t last = 0;

		HOLD(uses[i].name < name_count && uses[i].stream < stream_count);
		HOLD(uses[i].calls <= names[uses[i].name].calls);
		HOLD(uses[i].steps.count <= limits->step_runs);
		for (size_t j = 0; j < uses[i].steps.count; j++) {
			struct step_run run = step_runs_items(&uses[i].steps)[j];

			HOLD(run.first > last && run.last >= run.first);
			last = run.last;
		}
		HOLD(last <= streams[uses[i].stream].steps);
	}
}

static void analyse(const struct profile *profile, bool rows_hidden)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct name_lookup nothing = { .known = NULL };
	struct operators operators;
	struct weights weights;
	struct result_dynamic *dynamic;

	operators_gather(&arena, profile, &nothing, &operators);
	weights_choose(profile, &operators, &weights);
	HOLD(weights.time_total >= 0 && weights.calls_total >= 0);
	dynamic = arena_alloc(&arena, (operators.count + 1) * sizeof(dynamic[0]));
	dynamic_analyse(&arena, profile, &operators, (struct dynamic_options){ rows_hidden }, dynamic);
	for (size_t i = 0; i < operators.count; i++) {
		HOLD(dynamic[i].kind < DYNAMIC_KINDS && dynamic[i].evidence.id);
		for (size_t j = 0; j < dynamic[i].dim_count; j++)
			HOLD(dynamic[i].dims[j].min <= dynamic[i].dims[j].max && dynamic[i].dims[j].distinct);
	}
	arena_clear(&arena);
}

static void hold_chunks(const struct dump_format *format, struct str text, size_t chunk, const struct limits *limits)
{
	CLEANUP(buf_clear) struct buf whole = BUF_INIT(1 << 26), pieces = BUF_INIT(1 << 26);
	struct dump_facts facts, same;
	struct err err;

	HOLD(record_dump(format, text, 0, limits, &whole, &facts, &err) ==
		record_dump(format, text, chunk, limits, &pieces, &same, &err));
	HOLD(str_eq(buf_str(&whole), buf_str(&pieces)));
	HOLD(facts.rows == same.rows && facts.skipped_lines == same.skipped_lines && facts.tables == same.tables);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	unsigned choice = fuzz_byte(&text);
	struct limits limits = small_limits();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct dump_facts facts = { .format = "", .encoding = "" };
	struct dump_context context = { &sink, &limits, &facts };
	void *state = dump_table.open(&context);

	feed(state, text, choice & 127 ? choice & 127 : 4096);
	dump_table.close(state);
	profile_finish(profile);
	hold_records(profile, &limits);
	analyse(profile, choice & 128);
	profile_free(profile);
	hold_chunks(&dump_table, text, (choice & 127) + 1, &limits);
	hold_chunks(&dump_notebook, text, (choice & 127) + 1, &limits);
	return 0;
}
