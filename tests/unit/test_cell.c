/* Cells as PyTorch 1.0 to 2.13 print them, and what must not be taken for one. */
#include "dump/common/cell.h"
#include "tests/unit/check.h"

static void times_in_every_unit(void **state)
{
	static const struct {
		const char *text;
		int64_t ns;
	} cases[] = {
		{ "0.000us", 0 },
		{ "12.345us", 12345 },
		{ "999.999us", 999999 },
		{ "1.234ms", 1234000 },
		{ "237.027ms", 237027000 },
		{ "2.500s", 2500000000 },
		{ "0.000s", 0 },
		{ "-16028.000us", -16028000 },
		{ "-0.500us", -500 },
		{ "   12.345us", 12345 },
		{ "12us", 12000 },
		{ "1.5ms", 1500000 },
		{ "12.3456us", 12346 },
		{ "7ns", 7 },
		{ "99999999999.999us", 99999999999999 },
		{ "123456789012.345us", 123456789012345 },
		{ "9223372036.854775807s", INT64_MAX },
		{ "9223372036854775.807us", INT64_MAX },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t ns = -1;

		if (!cell_time(str_from(cases[i].text), &ns) || ns != cases[i].ns)
			fail_msg("\"%s\" is %lld ns", cases[i].text, (long long)ns);
	}
}

static void foreign_text_is_not_a_time_and_leaves_the_result_alone(void **state)
{
	static const char *const cases[] = { "", "s", "us", "ms", "1.2", "1..2us", "1.2 us", "0x1us", "1e3us", "nan",
		"nans", "--", "-us", ".5us", "5.us", "1.234Us", "1.234us ", "\t1.234us", "1 2.345us", "- 1.000us",
		"1.2.345us", "12a.345us", "99999999999999999999s", "9223372036.854775808s", "9223372036854775.808us",
		"12.345%", "3", "tests", "1.234mus" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t ns = 7;

		if (cell_time(str_from(cases[i]), &ns) || ns != 7)
			fail_msg("\"%s\" is %lld ns", cases[i], (long long)ns);
	}
}

static void shares_are_millionths(void **state)
{
	static const struct {
		const char *text;
		int32_t ppm;
	} cases[] = {
		{ "12.50%", 125000 },
		{ "0.00%", 0 },
		{ "100.00%", 1000000 },
		{ "271.83%", 2718300 },
		{ "-1.25%", -12500 },
		{ "  5.10%", 51000 },
		{ "NaN", 0 },
		{ "  NaN", 0 },
		{ "nan%", 0 },
		{ "0", 0 },
		{ "12%", 120000 },
		{ "0.1234567%", 1235 },
		{ "214748.36%", 2147483600 },
		{ "214748.37%", INT32_MAX },
		{ "99999999.00%", INT32_MAX },
		{ "-99999999.00%", INT32_MIN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int32_t ppm = -1;

		if (!cell_share(str_from(cases[i].text), &ppm) || ppm != cases[i].ppm)
			fail_msg("\"%s\" is %d", cases[i].text, ppm);
	}
}

static void foreign_text_is_not_a_share_and_leaves_the_result_alone(void **state)
{
	static const char *const cases[] = { "", "%", "1", "00", "nan", "NAN", "12.50", "12.50 %", "12,50%", "--%",
		"12.50%%", "x%", "12.50% ", "99999999999999999999.00%", "0 ", "inf%" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int32_t ppm = 7;

		if (cell_share(str_from(cases[i]), &ppm) || ppm != 7)
			fail_msg("\"%s\" is %d", cases[i], ppm);
	}
}

static void memory_in_both_spellings_is_a_power_of_1024(void **state)
{
	static const struct {
		const char *text;
		int64_t bytes;
	} cases[] = {
		{ "128 b", 128 },
		{ "0 b", 0 },
		{ "-4 b", -4 },
		{ "128 B", 128 },
		{ "1.50 Kb", 1536 },
		{ "1.50 KB", 1536 },
		{ "-1.50 Kb", -1536 },
		{ "2.00 Mb", 2 << 20 },
		{ "2.00 MB", 2 << 20 },
		{ "1.25 Gb", 1342177280 },
		{ "1.25 GB", 1342177280 },
		{ "   0.01 Kb", 10 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t bytes = -1;

		if (!cell_memory(str_from(cases[i].text), &bytes) || bytes != cases[i].bytes)
			fail_msg("\"%s\" is %lld bytes", cases[i].text, (long long)bytes);
	}
}

static void foreign_text_is_not_memory_and_leaves_the_result_alone(void **state)
{
	static const char *const cases[] = { "", "b", " b", "128", "128b", "1.50Kb", "1.50  Kb", "1.50 kb", "1.50 Tb",
		"x b", "--", "1.50 Kb ", "9223372036854775808 b", "9999999999999.00 Gb" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t bytes = 7;

		if (cell_memory(str_from(cases[i]), &bytes) || bytes != 7)
			fail_msg("\"%s\" is %lld bytes", cases[i], (long long)bytes);
	}
}

static void calls_are_digits_alone(void **state)
{
	static const char *const bad[] = { "", "-1", "1.0", "1 ", "1,000", "--", "NaN", "18446744073709551616" };
	uint64_t count = 7;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_false(cell_count(str_from(bad[i]), &count));
		assert_int_equal(count, 7);
	}
	assert_true(cell_count(STR("   18446744073709551615"), &count));
	assert_true(count == UINT64_MAX);
	assert_true(cell_count(STR("0"), &count));
	assert_int_equal(count, 0);
}

static void pieces_of_rows_are_known_by_their_figures(void **state)
{
	static const struct {
		const char *text;
		bool figure;
	} cases[] = {
		{ "aten::ad        12.50%      3.000us", true },
		{ "12.50% ", true },
		{ "x 3.000ms", true },
		{ "99.5%,", false },
		{ "100% done", true },
		{ "loss 0.5", false },
		{ "3.000us/step", false },
		{ "bus", false },
		{ "%", false },
		{ "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(cell_is_figure_in(str_from(cases[i].text)), cases[i].figure);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_in_every_unit),
		cmocka_unit_test(foreign_text_is_not_a_time_and_leaves_the_result_alone),
		cmocka_unit_test(shares_are_millionths),
		cmocka_unit_test(foreign_text_is_not_a_share_and_leaves_the_result_alone),
		cmocka_unit_test(memory_in_both_spellings_is_a_power_of_1024),
		cmocka_unit_test(foreign_text_is_not_memory_and_leaves_the_result_alone),
		cmocka_unit_test(calls_are_digits_alone),
		cmocka_unit_test(pieces_of_rows_are_known_by_their_figures),
	};

	return run_group(tests);
}
