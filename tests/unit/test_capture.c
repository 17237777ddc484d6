/* What a dump could not show: one warning a gap, and which of them leave room for operators that nobody saw. */
#include "assess/model/capture.h"
#include "assess/model/rule.h"
#include "tests/unit/check.h"
#include "tests/unit/sheets.h"

static const struct operators none;

static struct capture_context usual(const struct profile *profile)
{
	return (struct capture_context){ profile, &none, USUAL_MAX_UNCOVERED_PPM };
}

static const char whole[] = "aten::a [[1]] | aten::a [[1]]";

/* The ids of the warnings of a dump, joined by blanks. */
/* The rules by their ids, but for the one that every table has. */
static void warnings_of(struct profile *profile, const struct assess_input *input, struct buf *ret, bool *ret_hides)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct capture_context context = usual(profile);
	struct result_input described;

	capture_describe(&arena, input, &context, &described);
	for (size_t i = 0; i < described.capture.warning_count; i++) {
		if (strcmp(described.capture.warnings[i].id, "capture-no-dtypes") != 0)
			buf_printf(ret, ret->len ? " %s" : "%s", described.capture.warnings[i].id);
		assert_non_null(rule_find(str_from(described.capture.warnings[i].id)));
	}
	*ret_hides = capture_hides_operators(&described, 1);
	arena_clear(&arena);
}

#define INPUT .source = { .name = { "a.log", 5 }, .compression = "gzip" }

static void every_loss_has_its_warning(void **state)
{
	static const struct {
		struct assess_input input;
		const char *warnings;
		bool hides_operators, hides_rows;
	} cases[] = {
		{ { INPUT }, "", false, false },
		{ { INPUT, .dump = { .row_limit_tables = 1 } }, "capture-truncated", true, true },
		{ { INPUT, .dump = { .cut_tables = 1 } }, "capture-table-cut", true, true },
		{ { INPUT, .dump = { .top_level_tables = 1 } }, "capture-top-level", true, true },
		{ { INPUT, .dump = { .headless_tables = 1 } }, "capture-headless", true, true },
		{ { INPUT, .dump = { .broken_rows = 1 } }, "capture-lines-broken", true, true },
		{ { INPUT, .dump = { .long_lines = 1 } }, "capture-long-lines", true, false },
		{ { INPUT, .dump = { .cut_names = 1 } }, "capture-names-cut", false, false },
		{ { INPUT, .dump = { .cut_shapes = 1 } }, "capture-shapes-cut", false, false },
		{ { INPUT, .dump = { .skipped_lines = 1, .sample_count = 1 } }, "capture-lines-skipped", false, false },
		{ { INPUT, .dump = { .cut_at = 77 } }, "capture-trace-cut", true, true },
		{ { INPUT, .dump = { .skipped_events = 1, .sample_count = 1 } }, "capture-events-skipped", true, true },
		{ { INPUT, .dump = { .unknown_schema = { "2.0.0" } } }, "capture-schema", false, false },
		{ { INPUT, .dump = { .unplaced_calls = 1 } }, "capture-steps-unplaced", false, false },
		{ { INPUT, .dump = { .unmatched_work = 1 } }, "capture-device-unmatched", false, false },
		{ { INPUT, .dump = { .unsorted_events = 1 } }, "capture-unsorted", false, false },
		{ { INPUT, .dump = { .unlinked_calls = 1 } }, "capture-links-partial", false, false },
		{ { INPUT, .dump = { .dropped_frames = 1 } }, "capture-frames-dropped", false, false },
		{ { INPUT, .dump = { .dropped_details = 1 } }, "capture-details-dropped", false, false },
		{ { INPUT, .dump = { .skipped_lines = 1, .skipped_rows = 1, .sample_count = 1 } },
			"capture-rows-skipped", true, true },
		{ { INPUT, .dump = { .device_tasks = 7 } }, "capture-device-tasks", false, false },
		{ { INPUT, .dump = { .device_tasks = 7, .aicpu_calls = 2, .aicpu_type_count = 1 } },
			"capture-aicpu capture-device-tasks", false, false },
		{ { INPUT, .dump = { .dropped_streams = 1 } }, "capture-streams-merged", false, false },
		{ { .source = { .name = { "a", 1 }, .compression = "gzip", .damaged = true } }, "capture-damaged", true,
			true },
		{ { .source = { .name = { "a", 1 }, .compression = "gzip", .damaged = true },
			  .dump = { .row_limit_tables = 1,
				  .cut_tables = 2,
				  .top_level_tables = 3,
				  .headless_tables = 4,
				  .broken_rows = 5,
				  .long_lines = 6,
				  .cut_names = 7,
				  .cut_shapes = 8,
				  .skipped_lines = 9,
				  .sample_count = 5,
				  .dropped_streams = 10 } },
			"capture-truncated capture-table-cut capture-top-level capture-headless capture-lines-broken "
			"capture-damaged "
			"capture-long-lines capture-names-cut capture-shapes-cut capture-streams-merged "
			"capture-lines-skipped",
			true, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf found = BUF_INIT(1000);
		struct assess_input input = cases[i].input;
		struct profile *profile = profile_of_steps(whole);
		bool hides;

		input.dump.format = "table";
		input.dump.encoding = "ascii";
		warnings_of(profile, &input, &found, &hides);
		assert_str(buf_str(&found), cases[i].warnings);
		assert_int_equal(hides, cases[i].hides_operators);
		assert_int_equal(capture_hides_rows(&input, 1), cases[i].hides_rows);
		profile_free(profile);
	}
}

static void gaps_of_the_profile_have_their_warnings(void **state)
{
	static const struct {
		struct sheet sheets[3];
		const char *warnings;
	} cases[] = {
		{ { { WHOLE, NULL, "aten::a [[1]]" }, { WHOLE, NULL, "aten::a [[1]]" } }, "" },
		{ { { WHOLE, NULL, "aten::a [[1]]" } }, "capture-one-step" },
		{ { { PLAIN, NULL, "aten::a" }, { PLAIN, NULL, "aten::a" } }, "capture-no-shapes" },
		{ { { WHOLE, NULL, "aten::a [[1]]" }, { PLAIN, NULL, "aten::a" } }, "capture-some-shapes" },
		{ { { TABLE_HAS_SHAPES, NULL, "aten::a [[1]]" }, { TABLE_HAS_SHAPES, NULL, "aten::a [[1]]" } },
			"capture-no-times" },
		{ { { WHOLE, NULL, "aten::a [[1]]; ProfilerStep* x3" }, { WHOLE, NULL, "aten::a [[1]]" } },
			"capture-averaged" },
		{ { { WHOLE, NULL, "aten::a [[1]]; x (dynamo_timed)" }, { WHOLE, NULL, "aten::a [[1]]" } },
			"capture-compiled capture-compiling-steps" },
		{ { { WHOLE, "237.027", "aten::a [[1]] =5.5" }, { WHOLE, "237.027", "aten::a [[1]] =5.5" },
			  { WHOLE, "1.5", "aten::a [[1]]" } },
			"capture-rows-uncovered capture-views" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf found = BUF_INIT(1000);
		struct limits limits = limits_default();
		struct profile *profile = profile_new(&limits);
		struct event_sink sink = profile_sink(profile, STR(""));
		struct assess_input input = { INPUT, .dump = { .format = "table", .encoding = "ascii" } };
		unsigned stream = sink.stream(sink.ctx, STR(""));
		bool hides;

		for (size_t j = 0; j < 3 && cases[i].sheets[j].rows; j++)
			feed_sheet(&sink, stream, &cases[i].sheets[j]);
		profile_finish(profile);
		warnings_of(profile, &input, &found, &hides);
		assert_str(buf_str(&found), cases[i].warnings);
		profile_free(profile);
	}
}

static void calls_over_a_cap_hide_operators(void **state)
{
	CLEANUP(buf_clear) struct buf found = BUF_INIT(1000);
	struct limits limits = limits_default();
	struct profile *profile;
	struct event_sink sink;
	struct assess_input input = { INPUT, .dump = { .format = "table", .encoding = "ascii" } };
	bool hides;

	limits.operators = 1;
	profile = profile_new(&limits);
	sink = profile_sink(profile, STR(""));
	feed_steps(&sink, "", "aten::a [[1]]; aten::b [[1]] | aten::a [[1]]");
	profile_finish(profile);
	warnings_of(profile, &input, &found, &hides);
	assert_str(buf_str(&found), "capture-cap");
	assert_true(hides);
	profile_free(profile);
}

static void shapes_that_come_and_go_too_often_are_told(void **state)
{
	CLEANUP(buf_clear) struct buf found = BUF_INIT(1000);
	struct limits limits = limits_default();
	struct assess_input input = { INPUT, .dump = { .format = "table", .encoding = "ascii" } };
	struct profile *profile;
	struct event_sink sink;
	bool hides;

	limits.step_runs = 2;
	profile = profile_new(&limits);
	sink = profile_sink(profile, STR(""));
	feed_steps(&sink, "", "aten::a [[1]] | aten::a [[2]] | aten::a [[1]] | aten::a [[2]] | aten::a [[1]]");
	profile_finish(profile);
	warnings_of(profile, &input, &found, &hides);
	assert_str(buf_str(&found), "capture-steps-coarse");
	assert_false(hides);
	profile_free(profile);
}

static void tables_that_do_not_tell_steps_apart_are_told(void **state)
{
	CLEANUP(buf_clear) struct buf found = BUF_INIT(1000);
	struct limits limits = limits_default();
	struct assess_input input = { INPUT, .dump = { .format = "list", .encoding = "ascii" } };
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	unsigned stream = sink.stream(sink.ctx, STR(""));
	bool hides;

	feed_sheet(&sink, stream, &(struct sheet){ WHOLE | TABLE_NO_STEPS, NULL, "aten::a [[1]]" });
	/* lists of tasks lack shapes and times, which says nothing of the operators */
	feed_sheet(&sink, stream, &(struct sheet){ TABLE_DEVICE_TASKS, NULL, "MatMulV2" });
	profile_finish(profile);
	warnings_of(profile, &input, &found, &hides);
	assert_str(buf_str(&found), "capture-no-steps");
	assert_false(hides);
	profile_free(profile);
}

static void the_input_is_described(void **state)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct profile *profile = profile_of_steps(whole);
	struct assess_input input = {
		.source = { .name = { "\xff.log", 5 }, .stored_bytes = 77, .compression = "zstd", .sha256 = "abc" },
		.dump = { .format = "table",
			.encoding = "utf-8",
			.torch_era = "2.8+",
			.tables = 2,
			.rows = 3,
			.skipped_lines = 0 }
	};
	struct capture_context context = usual(profile);
	struct result_input described;

	capture_describe(&arena, &input, &context, &described);
	assert_str(described.name, "\xef\xbf\xbd.log");
	assert_str(described.sha256, "abc");
	assert_str(described.compression, "zstd");
	assert_str(described.torch_era, "2.8+");
	assert_int_equal(described.bytes, 77);
	assert_int_equal(described.steps, 2);
	assert_int_equal(described.ranks, 1);
	assert_int_equal(described.rows, 3);
	assert_true(described.capture.shapes && described.capture.times);
	assert_false(described.capture.dtypes || described.capture.device_times || described.capture.overloads);
	arena_clear(&arena);
	profile_free(profile);
}

static void types_that_are_not_shown_are_told(void **state)
{
	static const unsigned has[] = { WHOLE, WHOLE | TABLE_HAS_DTYPES };

	for (size_t i = 0; i < ARRAY_SIZE(has); i++) {
		struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		struct limits limits = limits_default();
		struct profile *profile = profile_new(&limits);
		struct event_sink sink = profile_sink(profile, STR(""));
		unsigned stream = sink.stream(sink.ctx, STR(""));
		struct assess_input input = { INPUT, .dump = { .format = "table", .encoding = "ascii" } };
		struct capture_context context;
		struct result_input described;
		size_t told = 0;

		feed_sheet(&sink, stream, &(struct sheet){ has[i], NULL, "aten::a [[1]]" });
		profile_finish(profile);
		context = usual(profile);
		capture_describe(&arena, &input, &context, &described);
		for (size_t n = 0; n < described.capture.warning_count; n++)
			told += strcmp(described.capture.warnings[n].id, "capture-no-dtypes") == 0;
		assert_int_equal(told, !(has[i] & TABLE_HAS_DTYPES));
		profile_free(profile);
		arena_clear(&arena);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_loss_has_its_warning),
		cmocka_unit_test(gaps_of_the_profile_have_their_warnings),
		cmocka_unit_test(calls_over_a_cap_hide_operators),
		cmocka_unit_test(shapes_that_come_and_go_too_often_are_told),
		cmocka_unit_test(tables_that_do_not_tell_steps_apart_are_told),
		cmocka_unit_test(types_that_are_not_shown_are_told),
		cmocka_unit_test(the_input_is_described),
	};

	return run_group(tests);
}
