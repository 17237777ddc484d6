/* Sums of figures stop at a maximum that a report can carry. */
#include "base/value/figure.h"
#include "tests/unit/check.h"

static void sums_stop_at_the_largest_figure(void **state)
{
	static const struct {
		int64_t sum, more, total;
	} cases[] = {
		{ 0, 0, 0 },
		{ 5, -7, -2 },
		{ FIGURE_MAX - 1, 1, FIGURE_MAX },
		{ FIGURE_MAX, 1, FIGURE_MAX },
		{ FIGURE_MAX, INT64_MAX, FIGURE_MAX },
		{ -FIGURE_MAX, INT64_MIN, -FIGURE_MAX },
		{ INT64_MIN, INT64_MIN, -FIGURE_MAX },
		{ INT64_MAX, INT64_MIN, -1 },
		{ FIGURE_MAX, -1, FIGURE_MAX - 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(figure_add(cases[i].sum, cases[i].more), cases[i].total);
}

static void counts_stop_there_too(void **state)
{
	const uint64_t most = FIGURE_MAX;

	assert_int_equal(figure_count(0, 0), 0);
	assert_int_equal(figure_count(3, 4), 7);
	assert_int_equal(figure_count(most - 1, 1), most);
	assert_int_equal(figure_count(most, 1), most);
	assert_int_equal(figure_count(most, UINT64_MAX), most);
	assert_int_equal(figure_count(UINT64_MAX, UINT64_MAX), most);
}

/* Written with three decimals and read through a double, as JSON readers do, every figure stays what it was. */
static void the_largest_figures_survive_a_double(void **state)
{
	for (int64_t ns = FIGURE_MAX - 5000; ns <= FIGURE_MAX; ns++) {
		double us = (double)(ns / 1000) + (double)(ns % 1000) / 1000;
		int64_t whole = (int64_t)us;

		assert_int_equal(whole * 1000 + (int64_t)((us - (double)whole) * 1000 + 0.5), ns);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_stop_at_the_largest_figure),
		cmocka_unit_test(counts_stop_there_too),
		cmocka_unit_test(the_largest_figures_survive_a_double),
	};

	return run_group(tests);
}
