/* What a profile keeps beside its records: links, the order of a step, strides and values; none of it depends on the order of rows. */
#include "op/profile_links.h"
#include "tests/unit/check.h"
#include "tests/unit/sheets.h"

#define TEXT(literal)                                                                                                  \
	{                                                                                                              \
		literal, sizeof(literal) - 1                                                                           \
	}

static const struct op_turn turns[] = {
	{ TEXT("aten::a"), TEXT(""), TEXT("[[2]]"), TEXT(""), NAME_OPERATOR, false, 0 },
	{ TEXT("aten::b"), TEXT(""), TEXT("[[3]]"), TEXT(""), NAME_OPERATOR, false, 1 },
	{ TEXT("aten::none"), TEXT(""), TEXT(""), TEXT(""), NAME_OPERATOR, false, 1 },
};

static const struct op_link links[] = {
	{ TEXT("aten::b"), TEXT("aten::a"), 2, 3000, 10 },
	{ TEXT("aten::a"), TEXT("MmBackward0"), 1, 500, 0 },
	{ TEXT("aten::b"), TEXT("aten::a"), 5, -1000, 7 },
	{ TEXT("aten::a"), TEXT("AddBackward0"), 1, 1, 1 },
};

static void links_are_summed_up_and_sorted(void **state)
{
	static const size_t orders[][4] = { { 0, 1, 2, 3 }, { 3, 2, 1, 0 }, { 1, 3, 0, 2 } };

	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct limits limits = limits_default();
		struct profile *profile = profile_new(&limits);
		struct event_sink sink = profile_sink(profile, STR(""));
		const struct op_link *kept;
		size_t count;

		for (size_t j = 0; j < ARRAY_SIZE(links); j++)
			sink.links(sink.ctx, 0, RELATION_PARENT, &links[orders[i][j]], 1);
		profile_finish(profile);
		kept = profile_links(profile, RELATION_PARENT, &count);
		assert_int_equal(count, 3);
		assert_str(kept[0].other, "AddBackward0");
		assert_str(kept[1].other, "MmBackward0");
		assert_str(kept[2].name, "aten::b");
		assert_int_equal(kept[2].calls, 7);
		assert_int_equal(kept[2].self_cpu_ns, 2000);
		assert_int_equal(kept[2].self_device_ns, 17);
		profile_links(profile, RELATION_MODULE, &count);
		assert_int_equal(count, 0);
		assert_int_equal(profile_links_over_cap(profile), 0);
		profile_free(profile);
	}
}

static void calls_of_links_over_the_limit_are_counted(void **state)
{
	struct limits limits = limits_default();
	struct profile *profile;
	struct event_sink sink;
	size_t count;

	limits.links = 2;
	profile = profile_new(&limits);
	sink = profile_sink(profile, STR(""));
	sink.links(sink.ctx, 0, RELATION_PARENT, links, 2);
	sink.links(sink.ctx, 0, RELATION_SOURCE, links, 3); /* of another kind, but over the limit of all */
	sink.links(sink.ctx, 0, RELATION_PARENT, &links[2], 2);
	profile_finish(profile);
	assert_int_equal(profile_links(profile, RELATION_PARENT, &count)[1].calls, 7);
	assert_int_equal(count, 2);
	assert_int_equal(profile_links_over_cap(profile), 2 + 1 + 5 + 1);
	profile_free(profile);
}

static unsigned begin(const struct event_sink *sink)
{
	unsigned stream = sink->stream(sink->ctx, STR(""));
	struct op_row rows[] = { { .name = STR("aten::a"), .shapes = STR("[[2]]"), .calls = 1 },
		{ .name = STR("aten::b"), .shapes = STR("[[3]]"), .calls = 1 } };

	sink->table_begin(sink->ctx, stream, TABLE_STEPPED);
	sink->rows(sink->ctx, stream, rows, ARRAY_SIZE(rows));
	return stream;
}

/* The longest order of the tables that continue a stream is kept, in whatever pieces it was told. */
static void the_order_names_the_records_of_its_operators(void **state)
{
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	const struct table_end end = { .footer_cpu_ns = -1, .steps = 1 };
	const struct profile_turn *order;
	size_t count;

	for (size_t told = 1; told <= 4; told++) {
		struct event_sink sink = profile_sink(profile, STR(""));
		unsigned stream = begin(&sink);

		sink.order(sink.ctx, stream, turns, 1);
		if (told > 1 && told < 4)
			sink.order(sink.ctx, stream, turns + 1, told - 1);
		sink.table_end(sink.ctx, stream, &end);
	}
	profile_finish(profile);
	order = profile_order(profile, 0, &count);
	assert_int_equal(count, 3);
	assert_ptr_equal(&profile_uses(profile, &count)[order[1].use], use_find(profile, 0, "aten::b", "", "[[3]]"));
	assert_int_equal(order[0].depth, 0);
	assert_int_equal(order[1].depth, 1);
	assert_int_equal(order[2].use, NO_USE);
	profile_free(profile);
}

static void the_order_has_a_limit(void **state)
{
	struct limits limits = limits_default();
	struct profile *profile;
	struct event_sink sink;
	const struct table_end end = { .footer_cpu_ns = -1, .steps = 1 };
	unsigned stream;
	size_t count;

	limits.step_turns = 2;
	profile = profile_new(&limits);
	sink = profile_sink(profile, STR(""));
	stream = begin(&sink);
	sink.order(sink.ctx, stream, turns, 3);
	sink.table_end(sink.ctx, stream, &end);
	profile_finish(profile);
	profile_order(profile, stream, &count);
	assert_int_equal(count, 2);
	profile_free(profile);
}

static void the_smallest_strides_and_values_are_kept_and_whether_they_vary(void **state)
{
	static const char *const texts[] = { "[\"1\", \"\"]", "[\"0\", \"\"]", "" };
	static const size_t orders[][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 0, 2 }, { 0, 2, 1 } };

	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct limits limits = limits_default();
		struct profile *profile = profile_new(&limits);
		struct event_sink sink = profile_sink(profile, STR(""));
		unsigned stream = sink.stream(sink.ctx, STR(""));
		const struct profile_use *use;

		sink.table_begin(sink.ctx, stream, TABLE_STEPPED);
		for (size_t j = 0; j < 3; j++) {
			struct op_row row = { .name = STR("aten::a"),
				.shapes = STR("[[2]]"),
				.calls = 1,
				.strides = STR("[[1]]"),
				.concrete = str_from(texts[orders[i][j]]) };

			sink.rows(sink.ctx, stream, &row, 1);
		}
		sink.table_end(sink.ctx, stream, &(struct table_end){ .footer_cpu_ns = -1, .steps = 1 });
		profile_finish(profile);
		use = use_find(profile, 0, "aten::a", "", "[[2]]");
		assert_int_equal(use->calls, 3);
		assert_str(use_strides(use), "[[1]]");
		assert_false(use->strides_vary);
		assert_str(use_concrete(use), "[\"0\", \"\"]");
		assert_true(use->concrete_varies);
		profile_free(profile);
	}
}

static void relations_have_words(void **state)
{
	assert_string_equal(relation_text(RELATION_PARENT), "parent");
	assert_string_equal(relation_text(RELATION_SOURCE), "source");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_are_summed_up_and_sorted),
		cmocka_unit_test(calls_of_links_over_the_limit_are_counted),
		cmocka_unit_test(the_order_names_the_records_of_its_operators),
		cmocka_unit_test(the_order_has_a_limit),
		cmocka_unit_test(the_smallest_strides_and_values_are_kept_and_whether_they_vary),
		cmocka_unit_test(relations_have_words),
	};

	return run_group(tests);
}
