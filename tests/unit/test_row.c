/* One line as a row: by the dashes, from the right, word by word. */
#include "base/value/utf8.h"
#include "dump/table/row.h"
#include "tests/unit/layouts.h"

#define DASHES "------------  ----------  ---------  ---------  -------------------  "
#define HEADER "        Name  Self CPU %   Self CPU  # of Calls         Input Shapes  "

static bool parse(const struct layout *layout, const char *line, struct table_row *row)
{
	return row_parse(layout, str_from(line), utf8_is_ascii(str_from(line)), row);
}

static void cells_stand_where_the_dashes_say(void **state)
{
	static const struct {
		const char *line, *name, *shapes;
		uint64_t calls;
		int64_t ns;
		int32_t ppm;
	} cases[] = {
		{ "   aten::add      12.50%    3.000us          7     [[2, 3], [2, 3]]  ", "aten::add",
			"[[2, 3], [2, 3]]", 7, 3000, 125000 },
		{ "   aten::add      12.50%    3.000us          7     [[2, 3], [2, 3]]", "aten::add",
			"[[2, 3], [2, 3]]", 7, 3000, 125000 },
		{ "\xe8\xae\xad\xe7\xbb\x83 a  b [[      0.00%    0.000us          1                   []  ",
			"\xe8\xae\xad\xe7\xbb\x83 a  b [[", "[]", 1, 0, 0 },
		{ "a|b\tc             NaN   -1.500us          1                   []  ", "a|b\tc", "[]", 1, -1500, 0 },
		/* what overflows the last column still belongs to it */
		{ "   aten::add      12.50%    3.000us          7  [[2, 3], [2, 3], [1, 2, 3]]", "aten::add",
			"[[2, 3], [2, 3], [1, 2, 3]]", 7, 3000, 125000 },
	};
	struct layout layout = layout_of(DASHES, HEADER);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct table_row row;

		if (!parse(&layout, cases[i].line, &row))
			fail_msg("no row: %s", cases[i].line);
		assert_str(row.op.name, cases[i].name);
		assert_str(row.op.shapes, cases[i].shapes);
		assert_int_equal(row.op.calls, cases[i].calls);
		assert_int_equal(row.op.self_cpu_ns, cases[i].ns);
		assert_int_equal(row.self_cpu_share_ppm, cases[i].ppm);
	}
}

static void a_line_that_lost_its_place_is_split_from_the_right(void **state)
{
	static const struct {
		const char *line, *name;
	} cases[] = {
		{ "aten::add  12.50%  3.000us  7  [[2, 3], [2]]", "aten::add" },
		{ "my  label, [[1, 2]]  12.50%  3.000us  7  [[2, 3], [2]]", "my  label, [[1, 2]]" },
		{ "aten::add\t12.50%\t3.000us\t7\t[[2, 3], [2]]", "aten::add" },
		{ "aten::add 12.50% 3.000us 7 [[2, 3], [2]]", "aten::add" },
		{ "my label 12.50% 3.000us 7 [[2, 3], [2]]", "my label" },
		{ "    aten::add    12.50%    3.000us    7    [[2, 3], [2]]   \t", "aten::add" },
		{ "\xe8\xae\xad\xe7\xbb\x83  12.50%  3.000us  7  [[2, 3], [2]]", "\xe8\xae\xad\xe7\xbb\x83" },
	};
	struct layout layout = layout_of(DASHES, HEADER);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct table_row row;

		if (!parse(&layout, cases[i].line, &row))
			fail_msg("no row: %s", cases[i].line);
		assert_str(row.op.name, cases[i].name);
		assert_str(row.op.shapes, "[[2, 3], [2]]");
		assert_int_equal(row.op.calls, 7);
		assert_int_equal(row.op.self_cpu_ns, 3000);
	}
}

static void a_markdown_table_has_bars(void **state)
{
	struct layout layout = layout_of(NULL, "| Name | Self CPU % | Self CPU | # of Calls | Input Shapes |");
	struct table_row row;

	assert_true(parse(&layout, "| aten::add | 12.50% | 3.000us | 7 | [[2, 3]] |", &row));
	assert_str(row.op.name, "aten::add");
	assert_str(row.op.shapes, "[[2, 3]]");
	assert_true(parse(&layout, "| my | label | 12.50% | 3.000us | 7 | [] |", &row));
	assert_str(row.op.name, "my | label");
	assert_false(parse(&layout, "|---|:---:|---|---|---|", &row));
}

static void memory_keeps_its_unit_behind_a_blank(void **state)
{
	struct layout layout = layout_of(NULL, "Name  Self CPU  CPU Mem  Self CPU Mem  # of Calls");
	static const char *const lines[] = { "aten::add  3.000us  1.50 Kb  -128 b  7",
		"aten::add 3.000us 1.50 Kb -128 b 7", "aten::add\t3.000us\t1.50 KB\t-128 B\t7" };
	struct table_row row;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		assert_true(parse(&layout, lines[i], &row));
		assert_str(row.op.name, "aten::add");
		assert_int_equal(row.op.calls, 7);
	}
	assert_false(parse(&layout, "aten::add 3.000us 1.50 Xb -128 b 7", &row));
}

static void an_empty_overload_leaves_its_column_out(void **state)
{
	struct layout layout = layout_of(
		"------------  ------------  ---------  ---------", "Name  Overload Name  Self CPU  # of Calls");
	static const struct {
		const char *line, *overload;
	} cases[] = {
		{ "   aten::add        Tensor    3.000us          7", "Tensor" },
		{ "   aten::add                  3.000us          7", "" },
		{ "aten::add  Tensor  3.000us  7", "Tensor" },
		{ "aten::add  3.000us  7", "" },
		{ "aten::add Tensor 3.000us 7", "Tensor" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct table_row row;

		if (!parse(&layout, cases[i].line, &row))
			fail_msg("no row: %s", cases[i].line);
		assert_str(row.op.overload, cases[i].overload);
		assert_str(row.op.name, "aten::add");
		assert_int_equal(row.op.calls, 7);
	}
}

static void two_devices_side_by_side_are_added(void **state)
{
	struct layout layout = layout_of(NULL, "Name  Self CPU  Self CUDA  Self NPU  # of Calls");
	struct table_row row;

	assert_true(parse(&layout, "aten::add  3.000us  1.500us  2.000us  7", &row));
	assert_int_equal(row.op.self_device_ns, 3500);
	assert_true(parse(&layout, "aten::add  3.000us  9223372036854775.807us  9223372036854775.807us  7", &row));
	assert_true(row.op.self_device_ns > 0);
}

static void flops_and_source_may_stand_in_each_others_column(void **state)
{
	struct layout layout = layout_of("------------  ---------  ---------  -----------------  ------------",
		"        Name   Self CPU  # of Calls    Source Location  Total KFLOPs");
	struct table_row row;

	assert_true(layout.swapped);
	assert_true(parse(&layout,
		"   aten::add    3.000us          7  12.500             ...torch/nn/modules/conv.py(454): "
		"_conv_forward",
		&row));
	assert_str(row.op.name, "aten::add");
	assert_int_equal(row.op.calls, 7);
}

static void a_stack_goes_on_in_lines_that_are_blank_up_to_it(void **state)
{
	struct layout layout = layout_of(
		"------------  ---------  ---------  -----------------", "Name  Self CPU  # of Calls  Source Location");
	struct layout plain = layout_of(DASHES, HEADER);

	assert_true(row_is_continuation(&layout, STR("")));
	assert_true(row_is_continuation(&layout, STR(" \t  ")));
	assert_true(row_is_continuation(
		&layout, STR("                                    ...conv.py(454): _conv_forward")));
	assert_false(row_is_continuation(&layout, STR("              ...conv.py(454): _conv_forward")));
	assert_false(row_is_continuation(&plain, STR("                                                       x")));
}

static void other_lines_are_no_rows_and_leave_the_row_alone(void **state)
{
	static const char *const lines[] = { "", "   ", "aten::add", "Epoch: [0][10/500]\tLoss 0.5",
		"12.50%  3.000us  7  [[2]]", "aten::add  12.50  3.000us  7  [[2]]",
		"aten::add  12.50%  3.000  7  [[2]]", "aten::add  12.50%  3.000us  x  [[2]]",
		"aten::add  12.50%  3.000us  7  2", "aten::add  12.50%  3.000us  7", "[[1, 2], [3]]",
		"Self CPU time total: 237.027ms",
		"------------  ----------  ---------  ---------  -------------------  ", HEADER };
	struct layout layout = layout_of(DASHES, HEADER);

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct table_row row = { .op.calls = 77 };

		if (parse(&layout, lines[i], &row))
			fail_msg("a row: %s", lines[i]);
		assert_int_equal(row.op.calls, 77);
	}
}

static void columns_of_somebodys_own_may_hold_anything(void **state)
{
	struct layout layout = layout_of(NULL, "Name  Self CPU  # of Calls  Node ID  Full Name");
	struct table_row row;

	assert_true(parse(&layout, "aten::add  3.000us  7  -1  anything at all", &row));
	assert_str(row.op.name, "aten::add");
	assert_int_equal(row.op.calls, 7);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_stand_where_the_dashes_say),
		cmocka_unit_test(a_line_that_lost_its_place_is_split_from_the_right),
		cmocka_unit_test(a_markdown_table_has_bars),
		cmocka_unit_test(memory_keeps_its_unit_behind_a_blank),
		cmocka_unit_test(an_empty_overload_leaves_its_column_out),
		cmocka_unit_test(two_devices_side_by_side_are_added),
		cmocka_unit_test(flops_and_source_may_stand_in_each_others_column),
		cmocka_unit_test(a_stack_goes_on_in_lines_that_are_blank_up_to_it),
		cmocka_unit_test(other_lines_are_no_rows_and_leave_the_row_alone),
		cmocka_unit_test(columns_of_somebodys_own_may_hold_anything),
	};

	return run_group(tests);
}
