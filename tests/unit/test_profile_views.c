/* Which tables show one step: users print a step sorted in two ways, or once with shapes and once without. */
#include "tests/unit/check.h"
#include "tests/unit/sheets.h"

enum { MAX_SHEETS = 4 };

/* Steps and views that a profile makes of some tables. */
static struct profile *profile_of_sheets(const struct sheet *sheets, uint32_t *ret_steps, uint32_t *ret_views)
{
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	unsigned stream = sink.stream(sink.ctx, STR(""));
	size_t count;

	for (size_t i = 0; i < MAX_SHEETS && sheets[i].rows; i++)
		feed_sheet(&sink, stream, &sheets[i]);
	profile_finish(profile);
	*ret_steps = profile_streams(profile, &count)[0].steps;
	*ret_views = profile_streams(profile, &count)[0].views;
	return profile;
}

static void tables_are_one_step_or_several(void **state)
{
	static const struct {
		const char *why;
		struct sheet sheets[MAX_SHEETS];
		uint32_t steps, views;
	} cases[] = {
		{ "the same rows in another order and the same total",
			{ { WHOLE, "237.027", "aten::add [[2]] =120.5; aten::mul [[3]] =111.25" },
				{ WHOLE, "237.027", "aten::mul [[3]] =111.25; aten::add [[2]] =120.5" } },
			1, 1 },
		{ "three views",
			{ { WHOLE, "237.027", "aten::add [[2]] =120.5" },
				{ WHOLE, "237.027", "aten::add [[2]] =120.5" },
				{ WHOLE, "237.027", "aten::add [[2]] =120.5" } },
			1, 2 },
		{ "disjoint rows of one total: row_limit showed other ones",
			{ { WHOLE, "237.027", "aten::add [[2]] =120.5" },
				{ WHOLE, "237.027", "aten::mul [[3]] =111.25" } },
			1, 1 },
		{ "disjoint rows of one total of five digits, the smallest that tell",
			{ { WHOLE, "127.61", "aten::add [[2]] =70.5" }, { WHOLE, "127.61", "aten::mul [[3]] =50.25" } },
			1, 1 },
		{ "another total",
			{ { WHOLE, "237.027", "aten::add [[2]] =120.5" },
				{ WHOLE, "237.028", "aten::add [[2]] =120.5" } },
			2, 0 },
		{ "the same total and another figure",
			{ { WHOLE, "237.027", "aten::add [[2]] =120.5" },
				{ WHOLE, "237.027", "aten::add [[2]] =120.6" } },
			2, 0 },
		{ "the same total and another number of calls",
			{ { WHOLE, "237.027", "aten::add [[2]] x1 =120.5" },
				{ WHOLE, "237.027", "aten::add [[2]] x2 =120.5" } },
			2, 0 },
		{ "time_unit s: the same short total in every step",
			{ { WHOLE, "237000", "aten::add [[2]] =1000" }, { WHOLE, "237000", "aten::add [[2]] =1000" } },
			2, 0 },
		{ "no time at all", { { WHOLE, "0", "aten::add [[2]] =0" }, { WHOLE, "0", "aten::add [[2]] =0" } }, 2,
			0 },
		{ "four digits and a common record",
			{ { WHOLE, "237.1", "aten::add [[2]] =120.5" }, { WHOLE, "237.1", "aten::add [[2]] =120.5" } },
			1, 1 },
		{ "four digits and nothing in common",
			{ { WHOLE, "237.1", "aten::add [[2]] =120.5" }, { WHOLE, "237.1", "aten::mul [[3]] =111.25" } },
			2, 0 },
		{ "three digits and a common record",
			{ { WHOLE, "237", "aten::add [[2]] =120.5" }, { WHOLE, "237", "aten::add [[2]] =120.5" } }, 2,
			0 },
		{ "no totals, all records the same",
			{ { WHOLE, NULL, "aten::add [[2]] =120.5; aten::mul [[3]] =111.25; aten::sub [[1]] =3.75" },
				{ WHOLE, NULL,
					"aten::add [[2]] =120.5; aten::mul [[3]] =111.25; aten::sub [[1]] =3.75" } },
			1, 1 },
		{ "no totals, the shorter one is part of the longer",
			{ { WHOLE, NULL,
				  "aten::add [[2]] =120.5; aten::mul [[3]] =111.25; aten::sub [[1]] =3.75; aten::t "
				  "[[1]] =2" },
				{ WHOLE, NULL,
					"aten::add [[2]] =120.5; aten::mul [[3]] =111.25; aten::sub [[1]] =3.75" } },
			1, 1 },
		{ "no totals and a record that the other has not",
			{ { WHOLE, NULL,
				  "aten::add [[2]] =120.5; aten::mul [[3]] =111.25; aten::sub [[1]] =3.75; aten::t "
				  "[[1]] =2" },
				{ WHOLE, NULL,
					"aten::add [[2]] =120.5; aten::mul [[3]] =111.25; aten::sub [[1]] =3.75; "
					"aten::t [[2]] =2" } },
			2, 0 },
		{ "no totals and figures too round to tell",
			{ { WHOLE, NULL, "aten::add [[2]] =120; aten::mul [[3]] =11; aten::sub [[1]] =3" },
				{ WHOLE, NULL, "aten::add [[2]] =120; aten::mul [[3]] =11; aten::sub [[1]] =3" } },
			2, 0 },
		{ "a table without operators in between changes nothing",
			{ { WHOLE, "237.027", "aten::add [[2]] =120.5" }, { WHOLE, "1.5", "ProfilerStep* x1" },
				{ WHOLE, "237.027", "aten::add [[2]] =120.5" } },
			1, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint32_t steps, views;
		struct profile *profile = profile_of_sheets(cases[i].sheets, &steps, &views);

		if (steps != cases[i].steps || views != cases[i].views)
			fail_msg("%s: %u steps and %u views", cases[i].why, steps, views);
		profile_free(profile);
	}
}

static void views_count_once_and_together(void **state)
{
	static const struct sheet sheets[MAX_SHEETS] = {
		{ WHOLE, "237.027", "aten::add [[2]] x2 =120.5; aten::mul [[3]] x3 =111.25" },
		{ WHOLE, "237.027", "aten::mul [[3]] x3 =111.25; aten::sub [[4]] x4 =5.25" },
		{ WHOLE, "311.911", "aten::add [[2]] x2 =99.5" },
	};
	uint32_t steps, views;
	struct profile *profile = profile_of_sheets(sheets, &steps, &views);

	assert_int_equal(steps, 2);
	assert_int_equal(use_find(profile, 0, "aten::add", "", "[[2]]")->calls, 4);
	assert_int_equal(use_find(profile, 0, "aten::mul", "", "[[3]]")->calls, 3);
	assert_int_equal(use_find(profile, 0, "aten::sub", "", "[[4]]")->calls, 4);
	assert_string_equal(steps_text(&use_find(profile, 0, "aten::sub", "", "[[4]]")->steps), "1");
	profile_free(profile);
}

/* Whichever comes first, the view with shapes (then the one with overloads) is counted. */
static void the_finer_view_of_an_operator_is_counted(void **state)
{
	static const struct {
		struct sheet sheets[MAX_SHEETS];
		const char *overload, *shapes;
	} cases[] = {
		{ { { PLAIN, "237.027", "aten::add x3; aten::mul x1" },
			  { WHOLE, "237.027", "aten::add [[2]] x2; aten::add [[3]] x1" } },
			"", "[[2]]" },
		{ { { WHOLE, "237.027", "aten::add [[2]] x2; aten::add [[3]] x1" },
			  { PLAIN, "237.027", "aten::add x3; aten::mul x1" } },
			"", "[[2]]" },
		{ { { PLAIN, "237.027", "aten::add x3; aten::mul x1" },
			  { PLAIN | TABLE_HAS_OVERLOADS, "237.027", "aten::add/Tensor x2; aten::add/out x1" } },
			"Tensor", "" },
		{ { { WHOLE, "237.027", "aten::add [[2]] x2; aten::add [[3]] x1" },
			  { PLAIN | TABLE_HAS_OVERLOADS, "237.027",
				  "aten::add/Tensor x2; aten::add/out x1; aten::mul/Tensor x1" } },
			"", "[[2]]" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint32_t steps, views;
		struct profile *profile = profile_of_sheets(cases[i].sheets, &steps, &views);
		size_t count;
		const struct profile_name *names = profile_names(profile, &count);

		assert_int_equal(steps, 1);
		assert_int_equal(views, 1);
		for (size_t j = 0; j < count; j++)
			assert_int_equal(names[j].calls, str_eq(names[j].text, STR("aten::add")) ? 3 : 1);
		assert_int_equal(use_find(profile, 0, "aten::add", cases[i].overload, cases[i].shapes)->calls, 2);
		profile_free(profile);
	}
}

static void a_view_in_one_stream_says_nothing_of_another(void **state)
{
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	unsigned ranks[] = { sink.stream(sink.ctx, STR("rank0")), sink.stream(sink.ctx, STR("rank1")) };
	static const struct sheet sheet = { WHOLE, "237.027", "aten::add [[2]] =120.5" };
	size_t count;

	for (size_t i = 0; i < 4; i++)
		feed_sheet(&sink, ranks[i % 2], &sheet);
	profile_finish(profile);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(profile_streams(profile, &count)[i].steps, 1);
		assert_int_equal(profile_streams(profile, &count)[i].views, 1);
		assert_int_equal(use_find(profile, (unsigned)i, "aten::add", "", "[[2]]")->calls, 1);
	}
	profile_free(profile);
}

static void the_columns_of_all_tables_are_remembered(void **state)
{
	static const struct sheet sheets[MAX_SHEETS] = { { WHOLE, NULL, "aten::add [[2]]" },
		{ PLAIN | TABLE_HAS_DEVICE_TIMES, NULL, "aten::add" } };
	uint32_t steps, views;
	struct profile *profile = profile_of_sheets(sheets, &steps, &views);
	size_t count;
	const struct profile_stream *stream = profile_streams(profile, &count);

	assert_int_equal(stream->has, TABLE_HAS_SHAPES | TABLE_HAS_TIMES | TABLE_HAS_DEVICE_TIMES);
	assert_true(stream->lacks & TABLE_HAS_SHAPES);
	assert_true(stream->lacks & TABLE_HAS_DEVICE_TIMES);
	assert_false(stream->lacks & TABLE_HAS_TIMES);
	profile_free(profile);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_one_step_or_several),
		cmocka_unit_test(views_count_once_and_together),
		cmocka_unit_test(the_finer_view_of_an_operator_is_counted),
		cmocka_unit_test(a_view_in_one_stream_says_nothing_of_another),
		cmocka_unit_test(the_columns_of_all_tables_are_remembered),
	};

	return run_group(tests);
}
