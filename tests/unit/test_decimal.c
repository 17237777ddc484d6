/* Decimal numbers: exact to the unit, rounded to the nearest, refused where they do not fit. */
#include "base/value/decimal.h"
#include "tests/unit/check.h"

static void numbers_are_scaled_and_rounded_to_the_nearest(void **state)
{
	static const struct {
		const char *text;
		int64_t scale, value;
	} cases[] = {
		{ "0", 1, 0 },
		{ "-0.000", 1000, 0 },
		{ "1.5", 1000, 1500 },
		{ "-16028.000", 1000, -16028000 },
		{ "0.5", 1, 1 },
		{ "0.49", 1, 0 },
		{ "-0.5", 1, -1 },
		{ "-0.4", 1, 0 },
		{ "2.0004", 1000, 2000 },
		{ "2.0005", 1000, 2001 },
		{ "0007.25", 100, 725 },
		{ "9223372036854775807", 1, INT64_MAX },
		{ "-9223372036854775807", 1, -INT64_MAX },
		{ "9223372036.854775807", 1000000000, INT64_MAX },
		{ "0.123456789012345678", 1000000000, 123456789 },
		{ "0.4999999999999999999999999", 1, 0 },
		{ "0.5000000000000000000000000", 1, 1 },
		{ "0.000000000499999999999999999", 1000000000, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t value = 7;

		if (!decimal_scaled(str_from(cases[i].text), cases[i].scale, &value) || value != cases[i].value)
			fail_msg("%s gives %lld", cases[i].text, (long long)value);
	}
}

static void shares_have_a_decimal_near_their_ends_alone(void **state)
{
	static const struct {
		int64_t lo, hi;
		const char *text;
	} cases[] = {
		{ 0, 0, "0 %" },
		{ 1, 1, "<0.1 %" },
		{ 499, 499, "<0.1 %" },
		{ 500, 500, "0.1 %" },
		{ 3000, 3000, "0.3 %" },
		{ 10000, 90000, "1-9 %" },
		{ 28000, 28000, "2.8 %" },
		{ 99449, 99449, "9.9 %" },
		{ 99949, 99949, "10 %" },
		{ 123456, 123456, "12 %" },
		{ 125000, 129000, "13 %" },
		{ 899999, 971999, "90-97.2 %" },
		{ 997000, 997000, "99.7 %" },
		{ 999999, 999999, "99.9 %" },
		{ 999999, 1000000, "99.9-100 %" },
		{ 1000000, 1000000, "100 %" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

		percent_put(&text, cases[i].lo, cases[i].hi);
		assert_str(buf_str(&text), cases[i].text);
	}
}

static void what_is_no_number_or_does_not_fit_leaves_the_result_alone(void **state)
{
	static const struct {
		const char *text;
		int64_t scale;
	} cases[] = {
		{ "", 1 },
		{ "-", 1 },
		{ ".", 1 },
		{ "1.", 1 },
		{ ".5", 1 },
		{ "-.5", 1 },
		{ "1.2.3", 1 },
		{ "+1", 1 },
		{ "--1", 1 },
		{ "1-", 1 },
		{ " 1", 1 },
		{ "1 ", 1 },
		{ "1e3", 1 },
		{ "0x1", 1 },
		{ "1,5", 1 },
		{ "1.5a", 1 },
		{ "\xd9\xa1", 1 },
		{ "nan", 1 },
		{ "1.-5", 1 },
		{ "9223372036854775808", 1 },
		{ "9223372036854775807.5", 1 },
		{ "9223372036854775", 1001 },
		{ "99999999999999999999", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t value = 7;

		if (decimal_scaled(str_from(cases[i].text), cases[i].scale, &value) || value != 7)
			fail_msg("\"%s\" gives %lld", cases[i].text, (long long)value);
	}
}

static void counts_are_digits_alone(void **state)
{
	static const char *const bad[] = { "", "-1", "+1", " 1", "1 ", "1.0", "18446744073709551616",
		"99999999999999999999999" };
	uint64_t count = 7;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_false(decimal_unsigned(str_from(bad[i]), &count));
		assert_int_equal(count, 7);
	}
	assert_true(decimal_unsigned(STR("18446744073709551615"), &count));
	assert_true(count == UINT64_MAX);
	assert_true(decimal_unsigned(STR("007"), &count));
	assert_int_equal(count, 7);
}

static void a_number_is_printed_with_all_its_places(void **state)
{
	static const struct {
		int64_t value;
		unsigned places;
		const char *text;
	} cases[] = {
		{ 12345, 3, "12.345" },
		{ 5, 3, "0.005" },
		{ -5, 3, "-0.005" },
		{ 0, 6, "0.000000" },
		{ 42, 0, "42" },
		{ INT64_MAX, 3, "9223372036854775.807" },
		{ INT64_MIN, 3, "-9223372036854775.808" },
		{ INT64_MIN, 0, "-9223372036854775808" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(100);

		decimal_put(&text, cases[i].value, cases[i].places);
		assert_str(buf_str(&text), cases[i].text);
	}
}

static void what_is_printed_is_read_back(void **state)
{
	for (int64_t value = INT64_MAX; value; value /= 3) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(100);
		int64_t back = 0;

		decimal_put(&text, -value, 6);
		assert_true(decimal_scaled(buf_str(&text), 1000000, &back));
		assert_true(back == -value);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_scaled_and_rounded_to_the_nearest),
		cmocka_unit_test(shares_have_a_decimal_near_their_ends_alone),
		cmocka_unit_test(what_is_no_number_or_does_not_fit_leaves_the_result_alone),
		cmocka_unit_test(counts_are_digits_alone),
		cmocka_unit_test(a_number_is_printed_with_all_its_places),
		cmocka_unit_test(what_is_printed_is_read_back),
	};

	return run_group(tests);
}
