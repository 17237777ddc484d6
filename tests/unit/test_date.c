/* Days of the calendar. */
#include <stdlib.h>

#include "base/value/date.h"
#include "tests/unit/check.h"

static void dates_are_counted_from_1970(void **state)
{
	static const struct {
		const char *text;
		int64_t days;
	} cases[] = {
		{ "1970-01-01", 0 },
		{ "1969-12-31", -1 },
		{ "1970-03-01", 59 },
		{ "1972-03-01", 790 },
		{ "2000-02-29", 11016 },
		{ "2026-11-21", 20778 },
		{ "0001-01-01", -719162 },
		{ "9999-12-31", 2932896 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t days = 4711;

		assert_true(date_days(str_from(cases[i].text), &days));
		assert_int_equal(days, cases[i].days);
	}
}

static void what_the_calendar_lacks_is_no_date(void **state)
{
	static const char *const cases[] = { "", "2026", "2026-1-1", "2026-00-10", "2026-13-01", "2026-02-29",
		"1900-02-29", "2026-04-31", "2026-01-00", "2026-01-32", "0000-01-01", "2026/01/01", "2026-01-01 ",
		"2026-01-01T00:00:00Z", "-026-01-01", "20260101xx" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t days = 4711;

		assert_false(date_days(str_from(cases[i]), &days));
		assert_int_equal(days, 4711);
	}
}

static void the_epoch_of_a_build_is_today(void **state)
{
	char today[DATE_BYTES];

	setenv("SOURCE_DATE_EPOCH", "951782400", 1);
	date_today(today);
	assert_string_equal(today, "2000-02-29");
	setenv("SOURCE_DATE_EPOCH", "no number", 1);
	date_today(today);
	assert_true(strcmp(today, "2024-01-01") > 0);
	setenv("SOURCE_DATE_EPOCH", "253402300800", 1); /* of the year 10000 */
	date_today(today);
	assert_true(strcmp(today, "2024-01-01") > 0);
	assert_int_equal(strlen(today), DATE_BYTES - 1);
	assert_false(date_of(UINT64_MAX, today));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(dates_are_counted_from_1970),
		cmocka_unit_test(what_the_calendar_lacks_is_no_date),
		cmocka_unit_test(the_epoch_of_a_build_is_today),
	};

	return run_group(tests);
}
