/*
 * The reader of traces with a profile behind it, under small limits. The first byte decides how the rest is cut into chunks; the
 * events must be the same as without a cut.
 */
#include "op/profile_links.h"
#include "base/memory/mem.h"
#include "dump/common/format.h"
#include "op/profile.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/recorder.h"

static struct limits small_limits(void)
{
	struct limits limits = limits_default();

	limits.operators = 20;
	limits.names = 10;
	limits.shapes = 30;
	limits.step_runs = 4;
	limits.sort_bytes = 8 * LIMITS_EVENT_BYTES;
	limits.threads = 4;
	limits.held_calls = 8;
	limits.launches = 64;
	limits.links = 12;
	limits.step_turns = 6;
	limits.placed_calls = 8;
	limits.frames = 8;
	limits.open_frames = 3;
	limits.places = 8;
	return limits;
}

static void hold_records(const struct profile *profile, const struct limits *limits)
{
	size_t use_count, stream_count;
	const struct profile_use *uses = profile_uses(profile, &use_count);
	const struct profile_stream *streams = profile_streams(profile, &stream_count);

	for (size_t i = 0; i < use_count; i++) {
		uint32_t last = 0;

		HOLD(uses[i].stream < stream_count && uses[i].steps.count <= limits->step_runs);
		for (size_t j = 0; j < uses[i].steps.count; j++) {
			struct step_run run = step_runs_items(&uses[i].steps)[j];

			HOLD(run.first > last && run.last >= run.first);
			last = run.last;
		}
		HOLD(last <= streams[uses[i].stream].steps);
	}
}

/* Links are sorted, each pair once, and turns name records of their stream. */
static void hold_links(const struct profile *profile, const struct limits *limits)
{
	size_t use_count, stream_count, count, all = 0;
	const struct profile_use *uses = profile_uses(profile, &use_count);

	for (enum relation relation = 0; relation < RELATION_COUNT; relation++) {
		const struct op_link *links = profile_links(profile, relation, &count);

		all += count;
		for (size_t i = 0; i + 1 < count; i++) {
			int order = str_cmp(links[i].name, links[i + 1].name);

			HOLD(order < 0 || (order == 0 && str_cmp(links[i].other, links[i + 1].other) < 0));
		}
	}
	HOLD(all <= limits->links);
	profile_streams(profile, &stream_count);
	for (uint32_t stream = 0; stream < stream_count; stream++) {
		const struct profile_turn *turns = profile_order(profile, stream, &count);

		HOLD(count <= limits->step_turns);
		for (size_t i = 0; i < count; i++)
			HOLD(turns[i].use == NO_USE ||
				(turns[i].use < use_count && uses[turns[i].use].stream == stream));
	}
}

static void profile_of(struct str text, size_t chunk, const struct limits *limits)
{
	struct profile *profile = profile_new(limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct dump_facts facts = { .format = "", .encoding = "" };
	struct dump_context context = { &sink, limits, &facts };
	void *state = dump_trace.open(&context);
	struct err err;

	while (text.len) {
		size_t len = text.len < chunk ? text.len : chunk;

		HOLD(dump_trace.feed(state, str_sub(text, 0, len), &err) == 0);
		text = str_skip(text, len);
	}
	dump_trace.finish(state, &err);
	dump_trace.close(state);
	profile_finish(profile);
	hold_records(profile, limits);
	hold_links(profile, limits);
	profile_free(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(buf_clear) struct buf whole = BUF_INIT(1 << 26), pieces = BUF_INIT(1 << 26);
	struct str text = fuzz_text(data, size);
	unsigned choice = fuzz_byte(&text);
	struct limits limits = small_limits();
	struct dump_facts facts, same;
	struct err err;
	size_t chunk = (choice & 127) + 1;

	dump_trace.sniff(text);
	profile_of(text, chunk, &limits);
	HOLD(record_dump(&dump_trace, text, 0, &limits, &whole, &facts, &err) ==
		record_dump(&dump_trace, text, chunk, &limits, &pieces, &same, &err));
	HOLD(str_eq(buf_str(&whole), buf_str(&pieces)));
	HOLD(facts.rows == same.rows && facts.skipped_events == same.skipped_events && facts.cut_at == same.cut_at);
	return 0;
}
