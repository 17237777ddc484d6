/* One run that two dumps show: whether they do, which of them counts, and what the other lends it. */
#include "op/profile_merge.h"
#include "op/profile_join.h"
#include "tests/unit/check.h"
#include "tests/unit/sheets.h"

enum { TRACE = TABLE_STEPPED | TABLE_HAS_SHAPES | TABLE_HAS_TIMES | TABLE_HAS_DTYPES };

static struct profile *new_part(struct event_sink *ret_sink)
{
	struct limits limits = limits_default();
	struct profile *part = profile_new(&limits);

	profile_be_part(part);
	*ret_sink = profile_sink(part, STR(""));
	return part;
}

/* Steps as tables, written as for feed_steps. */
static struct profile *part_of_tables(const char *tables)
{
	struct event_sink sink;
	struct profile *part = new_part(&sink);

	feed_steps(&sink, "", tables);
	return part;
}

struct traced {
	const char *name, *shapes, *dtypes;
	uint64_t calls; /* of each step */
};

static struct profile *part_of_trace(const struct traced *calls, size_t count, uint32_t steps)
{
	struct event_sink sink;
	struct profile *part = new_part(&sink);
	unsigned stream = sink.stream(sink.ctx, STR(""));
	struct table_end end = { .footer_cpu_ns = -1,
		.footer_device_ns = -1,
		.share_ppm = -1,
		.has = TRACE & ~TABLE_STEPPED,
		.steps = steps };

	sink.table_begin(sink.ctx, stream, TABLE_STEPPED);
	for (uint32_t step = 1; step <= steps; step++) {
		for (size_t i = 0; i < count; i++) {
			struct op_row row = { .name = str_from(calls[i].name),
				.overload = STR(""),
				.shapes = str_from(calls[i].shapes),
				.dtypes = str_from(calls[i].dtypes),
				.strides = STR(""),
				.concrete = STR(""),
				.calls = calls[i].calls,
				.self_cpu_ns = 1000,
				.cpu_total_ns = 1000,
				.step = step };

			sink.rows(sink.ctx, stream, &row, 1);
		}
	}
	sink.table_end(sink.ctx, stream, &end);
	return part;
}

/* Joins both and frees them; NULL, or a finished profile. */
static struct profile *joined(struct profile *a, struct profile *b, bool a_is_cut, unsigned *ret_base)
{
	struct profile *const parts[2] = { a, b };
	const bool cut[2] = { a_is_cut, false };
	struct profile *part = profile_join(parts, cut, ret_base), *whole = NULL;
	struct limits limits = limits_default();

	profile_free(a);
	profile_free(b);
	if (!part)
		return NULL;
	whole = profile_new(&limits);
	profile_merge(whole, part, STR(""));
	profile_free(part);
	profile_finish(whole);
	return whole;
}

static const struct profile_use *use_of_types(const struct profile *profile, const char *shapes, const char *dtypes)
{
	size_t count;
	const struct profile_use *uses = profile_uses(profile, &count);

	for (size_t i = 0; i < count; i++) {
		if (str_eq(uses[i].shapes, str_from(shapes)) && str_eq(uses[i].dtypes, str_from(dtypes)))
			return &uses[i];
	}
	fail_msg("no use of %s with %s", shapes, dtypes);
	return NULL;
}

static void types_are_lent_and_no_call_or_time_is_lost(void **state)
{
	static const struct traced calls[] = { { "aten::add", "[[2]]", "[\"float\"]", 3 },
		{ "aten::add", "[[2]]", "[\"c10::Half\"]", 1 },
		{ "aten::mm", "[[2], [3]]", "[\"double\", \"double\"]", 4 } };
	unsigned base;
	struct profile *profile = joined(part_of_tables("aten::add [[2]] x4 =1.001; aten::mm [[2], [3]] x4 =5 |"
							"aten::add [[2]] x4 =1.001; aten::mm [[4], [3]] x4 =6 |"
							"aten::add [[2]] x4 =1.001; aten::mm [[5], [3]] x4 =7"),
		part_of_trace(calls, ARRAY_SIZE(calls), 2), false, &base);
	const struct profile_use *single, *half;
	size_t count;

	assert_non_null(profile);
	assert_int_equal(base, 0);
	single = use_of_types(profile, "[[2]]", "[\"float\"]");
	half = use_of_types(profile, "[[2]]", "[\"c10::Half\"]");
	assert_int_equal(single->calls, 9);
	assert_int_equal(half->calls, 3);
	assert_int_equal(single->self_cpu_ns + half->self_cpu_ns, 3003);
	assert_string_equal(steps_text(&half->steps), "1-3");
	/* shapes that the trace does not have: the types that the operator has there */
	assert_int_equal(use_of_types(profile, "[[5], [3]]", "[\"double\", \"double\"]")->calls, 4);
	assert_int_equal(profile_streams(profile, &count)[0].steps, 3);
	assert_true(profile_streams(profile, &count)[0].has & TABLE_HAS_DTYPES);
	assert_false(profile_streams(profile, &count)[0].lacks & TABLE_HAS_DTYPES);
	profile_free(profile);
}

static void what_only_the_other_shows_is_added(void **state)
{
	static const struct traced calls[] = { { "aten::add", "[[2]]", "[\"float\"]", 4 },
		{ "aten::relu", "[[7]]", "[\"float\"]", 1 } };
	unsigned base;
	struct profile *profile = joined(part_of_tables("aten::add [[2]] x4 =1; my label x3 =9 | aten::add [[2]] x4"),
		part_of_trace(calls, ARRAY_SIZE(calls), 2), true, &base);

	assert_non_null(profile);
	assert_int_equal(base, 1);
	assert_int_equal(use_of_types(profile, "[[2]]", "[\"float\"]")->calls, 8);
	assert_int_equal(use_of_types(profile, "[[7]]", "[\"float\"]")->calls, 2);
	assert_int_equal(use_find(profile, 0, "my label", "", "")->calls, 3);
	assert_int_equal(use_find(profile, 0, "my label", "", "")->self_cpu_ns, 0);
	profile_free(profile);
}

static void dumps_show_one_run_or_they_do_not(void **state)
{
	static const struct traced calls[] = { { "aten::add", "[[2]]", "[\"float\"]", 40 },
		{ "aten::mm", "[[2], [3]]", "[\"float\", \"float\"]", 4 } };
	static const struct {
		const char *why, *tables;
		bool cut, one;
	} cases[] = {
		{ "the same calls", "aten::add [[2]] x40; aten::mm [[2], [3]] x4", false, true },
		{ "nearly the same calls", "aten::add [[2]] x41; aten::mm [[2], [3]] x3", false, true },
		{ "averaged: the calls of both steps", "aten::add [[2]] x80; aten::mm [[2], [3]] x8", false, true },
		{ "more calls", "aten::add [[2]] x60; aten::mm [[2], [3]] x4", false, false },
		{ "another operator", "aten::add [[2]] x40; aten::mm [[2], [3]] x4; aten::relu [[2]] x1", false,
			false },
		{ "an operator is missing", "aten::add [[2]] x40", false, false },
		{ "and was cut off", "aten::add [[2]] x40", true, true },
		{ "no operator is in both", "aten::sub [[2]] x40", true, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned base;
		struct profile *profile = joined(part_of_tables(cases[i].tables),
			part_of_trace(calls, ARRAY_SIZE(calls), 2), cases[i].cut, &base);

		if (!profile == cases[i].one)
			fail_msg("%s", cases[i].why);
		profile_free(profile);
	}
}

static void several_streams_are_not_one_run(void **state)
{
	static const struct traced calls[] = { { "aten::add", "[[2]]", "[\"float\"]", 4 } };
	struct profile *log = part_of_tables("aten::add [[2]] x4");
	struct event_sink sink = profile_sink(log, STR(""));
	unsigned base;

	feed_steps(&sink, "[rank1]", "aten::add [[2]] x4");
	assert_null(joined(log, part_of_trace(calls, ARRAY_SIZE(calls), 1), false, &base));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_are_lent_and_no_call_or_time_is_lost),
		cmocka_unit_test(what_only_the_other_shows_is_added),
		cmocka_unit_test(dumps_show_one_run_or_they_do_not),
		cmocka_unit_test(several_streams_are_not_one_run),
	};

	return run_group(tests);
}
