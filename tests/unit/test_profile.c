/* The records of a profile: what is one, what its figures are, and its caps. */
#include "base/value/figure.h"
#include "tests/unit/check.h"
#include "tests/unit/sheets.h"

static void assert_use(const struct profile *profile, unsigned stream, const char *name, const char *shapes,
	uint64_t calls, const char *steps)
{
	const struct profile_use *use = use_find(profile, stream, name, "", shapes);

	if (!use)
		fail_msg("no %s with %s in stream %u", name, shapes, stream);
	assert_int_equal(use->calls, calls);
	assert_string_equal(steps_text(&use->steps), steps);
}

static void an_operator_has_a_record_for_each_set_of_shapes(void **state)
{
	struct profile *profile = profile_of_steps("aten::add [[2]] x3; aten::add [[3]] x1; aten::mul [[2]] x5"
						   "| aten::add [[2]] x4; aten::add [[2]] x2");
	size_t count;

	assert_use(profile, 0, "aten::add", "[[2]]", 9, "1-2");
	assert_use(profile, 0, "aten::add", "[[3]]", 1, "1");
	assert_use(profile, 0, "aten::mul", "[[2]]", 5, "1");
	assert_int_equal(profile_names(profile, &count)[0].calls, 10);
	assert_int_equal(count, 2);
	assert_int_equal(profile_streams(profile, &count)[0].steps, 2);
	assert_int_equal(count, 1);
	profile_free(profile);
	profile_free(NULL);
}

static void what_is_no_operator_has_one_record_whatever_its_shapes(void **state)
{
	struct profile *profile = profile_of_steps(
		"aten::add [[2]]; my label [[1]] x2; my label [[2]] x3 | aten::add [[3]]; my label x1");
	size_t count;

	assert_use(profile, 0, "my label", "", 6, "1-2");
	profile_uses(profile, &count);
	assert_int_equal(count, 3);
	profile_free(profile);
}

static void times_and_calls_add_up_and_stop_at_the_largest_figure(void **state)
{
	struct profile *profile = profile_of_steps(
		"aten::add [[2]] x18446744073709551615 =9000000000000000; aten::add [[2]] x18446744073709551615 "
		"=9000000000000000"
		"| aten::add [[2]] x7 =9000000000000000; aten::mul [[2]] x2 =-1.5 d3; aten::mul [[2]] x3 =-2 d4"
		"| aten::sub [[2]] =-9000000000000000; aten::sub [[2]] =-9000000000000000");
	const struct profile_use *use = use_find(profile, 0, "aten::add", "", "[[2]]");

	assert_int_equal(use->calls, FIGURE_MAX);
	assert_int_equal(use->self_cpu_ns, FIGURE_MAX);
	use = use_find(profile, 0, "aten::mul", "", "[[2]]");
	assert_int_equal(use->calls, 5);
	assert_int_equal(use->self_cpu_ns, -3500);
	assert_int_equal(use->self_device_ns, 7000);
	use = use_find(profile, 0, "aten::sub", "", "[[2]]");
	assert_int_equal(use->self_cpu_ns, -FIGURE_MAX);
	profile_free(profile);
}

static void overloads_have_records_of_their_own(void **state)
{
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	unsigned stream = sink.stream(sink.ctx, STR(""));
	size_t count;

	feed_sheet(&sink, stream,
		&(struct sheet){ WHOLE | TABLE_HAS_OVERLOADS, NULL,
			"aten::add/Tensor [[2]] x1; aten::add/out [[2]] x2; aten::add [[2]] x3" });
	profile_finish(profile);
	assert_int_equal(use_find(profile, 0, "aten::add", "Tensor", "[[2]]")->calls, 1);
	assert_int_equal(use_find(profile, 0, "aten::add", "out", "[[2]]")->calls, 2);
	assert_int_equal(use_find(profile, 0, "aten::add", "", "[[2]]")->calls, 3);
	assert_true(use_find(profile, 0, "aten::add", "", "[[2]]")->has_overload);
	profile_names(profile, &count);
	assert_int_equal(count, 1);
	profile_free(profile);
}

static void streams_are_ranks_and_dumps_with_one_label_continue_one(void **state)
{
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink first = profile_sink(profile, STR("")), second = profile_sink(profile, STR("")),
			  other = profile_sink(profile, STR("rank1"));
	size_t count;

	feed_steps(&first, "rank0", "aten::add [[2]] | aten::add [[3]]");
	feed_steps(&second, "rank0", "aten::add [[4]]");
	feed_steps(&other, "", "aten::add [[2]]");
	feed_steps(&second, "rank1", "aten::add [[5]]");
	profile_finish(profile);
	profile_streams(profile, &count);
	assert_int_equal(count, 2);
	assert_str(profile_streams(profile, &count)[0].label, "rank0");
	assert_use(profile, 0, "aten::add", "[[4]]", 1, "3");
	assert_use(profile, 1, "aten::add", "[[2]]", 1, "1");
	assert_use(profile, 1, "aten::add", "[[5]]", 1, "2");
	assert_int_equal(profile_dump(profile, 0).steps, 2);
	assert_int_equal(profile_dump(profile, 1).steps, 2);
	assert_int_equal(profile_dump(profile, 1).ranks, 2);
	assert_int_equal(profile_dump(profile, 2).steps, 1);
	profile_free(profile);
}

static void a_table_without_an_operator_is_no_step(void **state)
{
	struct profile *profile = profile_of_steps("aten::add [[2]] | ProfilerStep* x3 | | my label | aten::add [[2]]");
	size_t count;

	assert_int_equal(profile_streams(profile, &count)[0].steps, 2);
	assert_use(profile, 0, "aten::add", "[[2]]", 2, "1-2");
	assert_use(profile, 0, "ProfilerStep*", "", 3, "");
	profile_free(profile);
}

static void a_table_over_several_steps_is_averaged(void **state)
{
	struct profile *profile = profile_of_steps(
		"aten::add [[2]]; ProfilerStep* x3 | aten::add [[3]]; ProfilerStep* x1");
	size_t count;

	assert_int_equal(profile_streams(profile, &count)[0].averaged, 1);
	profile_free(profile);
}

static void steps_that_compiled_are_noted(void **state)
{
	struct profile *profile = profile_of_steps(
		"aten::add [[2]]; x (dynamo_timed) | aten::add [[2]]; Torch-Compiled Region: 0/0"
		"| aten::mul [[2]]; x_data: compile_id=0/1");
	size_t count;

	assert_string_equal(steps_text(&profile_streams(profile, &count)[0].compiling), "1,3");
	assert_true(profile_has_compiled(profile));
	profile_free(profile);
	profile = profile_of_steps("aten::add [[2]]");
	assert_false(profile_has_compiled(profile));
	profile_free(profile);
}

static void steps_are_kept_as_runs_and_a_full_list_says_so(void **state)
{
	struct limits limits = limits_default();
	struct profile *profile;
	struct event_sink sink;
	const struct profile_use *use;

	limits.step_runs = 2;
	profile = profile_new(&limits);
	sink = profile_sink(profile, STR(""));
	feed_steps(&sink, "",
		"aten::add [[2]]; aten::mul [[1]] | aten::mul [[1]] | aten::add [[2]] | aten::mul [[1]] | aten::mul "
		"[[1]]"
		"| aten::add [[2]] | aten::add [[2]]; aten::mul [[1]]");
	profile_finish(profile);
	use = use_find(profile, 0, "aten::add", "", "[[2]]");
	assert_string_equal(steps_text(&use->steps), "1,3-7");
	assert_true(use->steps.coarse);
	assert_int_equal(use->calls, 4);
	use = use_find(profile, 0, "aten::mul", "", "[[1]]");
	assert_string_equal(steps_text(&use->steps), "1-2,4-7");
	assert_true(use->steps.coarse);
	profile_free(profile);
}

static void operators_and_shapes_over_a_limit_are_counted_and_not_kept(void **state)
{
	static const struct {
		uint64_t operators, shapes, over;
	} cases[] = { { 100, 100, 0 }, { 1, 100, 12 }, { 2, 100, 7 }, { 100, 1, 15 }, { 100, 3, 7 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct limits limits = limits_default();
		struct profile *profile;
		struct event_sink sink;

		limits.operators = cases[i].operators;
		limits.shapes = cases[i].shapes;
		profile = profile_new(&limits);
		sink = profile_sink(profile, STR(""));
		feed_steps(&sink, "", "aten::add [[1]] x1; aten::add [[2]] x3; aten::mul [[1]] x5; aten::sub [[1]] x7");
		profile_finish(profile);
		assert_int_equal(profile_calls_over_cap(profile), cases[i].over);
		assert_use(profile, 0, "aten::add", "[[1]]", 1, "1");
		profile_free(profile);
	}
}

static void other_names_over_the_limit_are_counted_by_class(void **state)
{
	struct limits limits = limits_default();
	struct profile *profile;
	struct event_sink sink;
	size_t count;

	limits.names = 2;
	profile = profile_new(&limits);
	sink = profile_sink(profile, STR(""));
	feed_steps(&sink, "",
		"label 1 x1; label 2 x2; label 3 x4; label 4 x8; cudaFree x16; label 1 x32; aten::add [[1]]");
	profile_finish(profile);
	assert_int_equal(profile_calls_over_cap(profile), 0);
	assert_use(profile, 0, "label 1", "", 33, "1");
	assert_use(profile, 0, "label 2", "", 2, "1");
	assert_use(profile, 0, "(further names: label)", "", 12, "1");
	assert_use(profile, 0, "(further names: runtime)", "", 16, "1");
	profile_names(profile, &count);
	assert_int_equal(count, 5);
	profile_free(profile);
}

/* A stepped table of calls of one operator, each in a step. */
static void feed_stepped(const struct event_sink *sink, const uint32_t *at, size_t count, uint32_t steps)
{
	struct table_end end = {
		.footer_cpu_ns = -1, .footer_device_ns = -1, .share_ppm = -1, .has = TABLE_HAS_SHAPES, .steps = steps
	};
	unsigned stream = sink->stream(sink->ctx, STR(""));

	sink->table_begin(sink->ctx, stream, TABLE_STEPPED);
	for (size_t i = 0; i < count; i++) {
		struct op_row row = { .name = STR("aten::add"),
			.overload = STR(""),
			.shapes = STR("[[1]]"),
			.dtypes = STR(""),
			.calls = 1,
			.self_cpu_ns = 5,
			.step = at[i] };

		sink->rows(sink->ctx, stream, &row, 1);
	}
	sink->table_end(sink->ctx, stream, &end);
}

static void rows_of_a_trace_say_their_step_in_any_order(void **state)
{
	static const struct {
		uint32_t at[8];
		uint32_t max_runs;
		const char *steps;
	} cases[] = {
		{ { 1, 2, 3, 5, 6, 7, 8, 9 }, 64, "1-3,5-9" },
		{ { 9, 7, 5, 3, 1, 0, 0, 0 }, 64, "1,3,5,7,9" },
		{ { 1, 3, 2, 9, 5, 7, 6, 8 }, 64, "1-3,5-9" },
		{ { 4, 4, 2, 2, 3, 3, 1, 1 }, 64, "1-4" },
		{ { 9, 5, 1, 0, 0, 0, 0, 0 }, 2, "1-5,9" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct limits limits = limits_default();
		struct profile *profile;
		struct event_sink sink;

		limits.step_runs = cases[i].max_runs;
		profile = profile_new(&limits);
		sink = profile_sink(profile, STR(""));
		feed_stepped(&sink, cases[i].at, 8, 9);
		profile_finish(profile);
		assert_use(profile, 0, "aten::add", "[[1]]", 8, cases[i].steps);
		assert_int_equal(use_find(profile, 0, "aten::add", "", "[[1]]")->steps.coarse, cases[i].max_runs == 2);
		assert_int_equal(profile_dump(profile, 0).steps, 9);
		profile_free(profile);
	}
}

static void a_trace_goes_on_where_the_stream_has_come_to(void **state)
{
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));

	feed_stepped(&sink, (const uint32_t[]){ 1, 2 }, 2, 2);
	feed_steps(&sink, "", "aten::add [[1]] | aten::mul [[1]]");
	feed_stepped(&sink, (const uint32_t[]){ 1, 2 }, 2, 2);
	profile_finish(profile);
	assert_use(profile, 0, "aten::add", "[[1]]", 5, "1-3,5-6");
	assert_int_equal(profile_dump(profile, 0).steps, 6);
	profile_free(profile);
}

/* "aten::add" in a list of tasks is a task of that name, and columns without a cell are none. */
static void what_a_table_holds_decides_what_its_names_are(void **state)
{
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	unsigned stream = sink.stream(sink.ctx, STR(""));
	struct op_row row = {
		.name = STR("aten::add"), .overload = STR(""), .shapes = STR(""), .dtypes = STR(""), .calls = 3
	};
	struct table_end end = {
		.footer_cpu_ns = -1, .footer_device_ns = -1, .share_ppm = -1, .lacks = TABLE_HAS_SHAPES
	};
	size_t names, streams;

	feed_sheet(&sink, stream, &(struct sheet){ TABLE_DEVICE_TASKS, NULL, "aten::add x2" });
	sink.table_begin(sink.ctx, stream, WHOLE | TABLE_NO_STEPS);
	sink.rows(sink.ctx, stream, &row, 1);
	sink.table_end(sink.ctx, stream, &end);
	profile_finish(profile);
	assert_int_equal(profile_names(profile, &names)[0].name.name_class, NAME_KERNEL);
	assert_int_equal(profile_names(profile, &names)[0].calls, 2);
	assert_int_equal(profile_names(profile, &names)[1].name.name_class, NAME_OPERATOR);
	assert_int_equal(profile_names(profile, &names)[1].calls, 3);
	assert_int_equal(names, 2);
	assert_false(profile_streams(profile, &streams)[0].has & TABLE_HAS_SHAPES);
	assert_true(profile_streams(profile, &streams)[0].lacks & TABLE_HAS_SHAPES);
	assert_int_equal(profile_streams(profile, &streams)[0].stepless, 1);
	assert_int_equal(profile_streams(profile, &streams)[0].steps, 1);
	profile_free(profile);
}

static void an_empty_profile_is_empty(void **state)
{
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	size_t count;

	assert_non_null(sink.ctx);
	profile_finish(profile);
	profile_names(profile, &count);
	assert_int_equal(count, 0);
	profile_uses(profile, &count);
	assert_int_equal(count, 0);
	assert_int_equal(profile_dump(profile, 0).steps, 0);
	profile_free(profile);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_operator_has_a_record_for_each_set_of_shapes),
		cmocka_unit_test(what_is_no_operator_has_one_record_whatever_its_shapes),
		cmocka_unit_test(times_and_calls_add_up_and_stop_at_the_largest_figure),
		cmocka_unit_test(overloads_have_records_of_their_own),
		cmocka_unit_test(streams_are_ranks_and_dumps_with_one_label_continue_one),
		cmocka_unit_test(a_table_without_an_operator_is_no_step),
		cmocka_unit_test(a_table_over_several_steps_is_averaged),
		cmocka_unit_test(steps_that_compiled_are_noted),
		cmocka_unit_test(steps_are_kept_as_runs_and_a_full_list_says_so),
		cmocka_unit_test(operators_and_shapes_over_a_limit_are_counted_and_not_kept),
		cmocka_unit_test(other_names_over_the_limit_are_counted_by_class),
		cmocka_unit_test(rows_of_a_trace_say_their_step_in_any_order),
		cmocka_unit_test(a_trace_goes_on_where_the_stream_has_come_to),
		cmocka_unit_test(what_a_table_holds_decides_what_its_names_are),
		cmocka_unit_test(an_empty_profile_is_empty),
	};

	return run_group(tests);
}
