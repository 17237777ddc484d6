/* Columns inferred from one row whose header was lost, and lines that are no rows at all. */
#include "base/memory/buf.h"
#include "dump/table/layout.h"
#include "dump/table/row.h"
#include "tests/unit/check.h"

static void the_kinds_of_cells_tell_their_columns(void **state)
{
	static const struct {
		const char *line;
		int count;
		enum role role; /* that some column has */
		int at;
	} cases[] = {
		{ "aten::add  12.5%  3.000us  12.5%  3.000us  1.000us  7", 7, ROLE_CALLS, 6 },
		{ "aten::add  12.5%  3.000us  12.5%  3.000us  1.000us  7  [[2, 3]]", 8, ROLE_SHAPES, 7 },
		{ "aten::add\t12.5%\t3.000us\t12.5%\t3.000us\t1.000us\t7\t[[2, 3]]", 8, ROLE_SHAPES, 7 },
		{ "my label  NaN  0.000us  0.00%  0.000us  0.000us  1", 7, ROLE_SELF_CPU, 2 },
		{ "aten::add  12.5%  3.000us  12.5%  3.000us  1.000us  5.000us  1.0%  5.000us  1.000us  7", 11,
			ROLE_SELF_DEVICE, 6 },
		{ "aten::add  12.5%  3.000us  12.5%  3.000us  1.000us  1.0%  5.000us  1.000us  7", 10,
			ROLE_DEVICE_TOTAL, 7 },
		{ "aten::add  12.5%  3.000us  12.5%  3.000us  1.000us  1.50 Kb  128 b  7", 9, ROLE_MEMORY, 6 },
		{ "aten::add  12.5%  3.000us  12.5%  3.000us  1.000us  7  3", 8, ROLE_NODE, 7 },
		{ "aten::add  12.5%  3.000us  12.5%  3.000us  1.000us  7  [[2]]  --", 9, ROLE_FLOPS, 8 },
		{ "aten::add  12.5%  3.000us  12.5%  3.000us  1.000us  7  [[2]]  12.500", 9, ROLE_FLOPS, 8 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct layout layout;
		struct table_row row;

		if (!layout_guess(str_from(cases[i].line), &layout))
			fail_msg("no row: %s", cases[i].line);
		assert_int_equal(layout.count, cases[i].count);
		assert_int_equal(layout.at[cases[i].role], cases[i].at);
		assert_false(layout.spans);
		/* the guess is no use unless the row can be read by it */
		assert_true(row_parse(&layout, str_from(cases[i].line), true, &row));
	}
}

static void other_lines_leave_the_layout_alone(void **state)
{
	static const char *const cases[] = { "", "%", "100%|####| 10/10 [00:01<00:00,  9.87it/s]", "accuracy  12.5%",
		"aten::add  12.5%  3.000us", "aten::add  12.5%  3.000us  12.5%  3.000us  1.000us",
		"aten::add  3.000us  12.5%  3.000us  1.000us  1.000us  7",
		"aten::add  12.5%  3.000us  12.5%  3.000us  1.000us  x  7",
		"12.5%  3.000us  12.5%  3.000us  1.000us  7" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct layout layout = { .count = 77 };

		if (layout_guess(str_from(cases[i]), &layout))
			fail_msg("a row: %s", cases[i]);
		assert_int_equal(layout.count, 77);
	}
}

static void a_line_of_endless_cells_is_none(void **state)
{
	CLEANUP(buf_clear) struct buf line = BUF_INIT(1 << 20);
	struct layout layout = { .count = 77 };

	buf_add(&line, STR("aten::add  12.5%  3.000us  12.5%  3.000us  1.000us  7"));
	for (int i = 7; i < MAX_COLUMNS; i++)
		buf_add(&line, STR("  128 b"));
	assert_true(layout_guess(buf_str(&line), &layout));
	assert_int_equal(layout.count, MAX_COLUMNS);
	buf_add(&line, STR("  128 b"));
	layout.count = 77;
	assert_false(layout_guess(buf_str(&line), &layout));
	assert_int_equal(layout.count, 77);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kinds_of_cells_tell_their_columns),
		cmocka_unit_test(other_lines_leave_the_layout_alone),
		cmocka_unit_test(a_line_of_endless_cells_is_none),
	};

	return run_group(tests);
}
