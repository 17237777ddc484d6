/* Rates: a used-up bucket stays so whatever others do, in a table that they fill. */
#include <stdio.h>

#include "server/http/rate.h"
#include "tests/unit/check.h"

enum { OTHERS = 50000 };

static const struct allowance most = { .minute_requests = 5, .hour_bytes = 1000 };

static bool ask(struct rates *rates, const char *key)
{
	return !rates_ask(rates, str_from(key), &most).exceeded;
}

static void a_bucket_is_used_up(void **state)
{
	struct rates *rates = rates_new();

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		assert_true(ask(rates, "a"));
	assert_false(ask(rates, "a"));
	assert_true(ask(rates, "b"));
	rates_send(rates, STR("b"), &most, 1001);
	assert_false(ask(rates, "b"));
	rates_free(rates);
}

static void the_time_to_wait_is_that_of_what_is_missing(void **state)
{
	const struct allowance more = { .minute_requests = 60, .hour_bytes = 1000 };
	struct rates *rates = rates_new();

	(void)state;
	while (ask(rates, "a"))
		;
	assert_in_range(rates_ask(rates, STR("a"), &most).seconds, 8, 13); /* one of five in a minute */
	assert_true(rates_ask(rates, STR("a"), &more).exceeded);
	assert_in_range(rates_ask(rates, STR("a"), &more).seconds, 1, 2);
	assert_int_equal(rates_ask(rates, STR("c"), &more).requests, 59);
	rates_ask(rates, STR("c"), &most);
	assert_int_equal(rates_ask(rates, STR("c"), &most).requests, 4); /* no more than is allowed now */
	rates_send(rates, STR("b"), &most, 1500);
	assert_in_range(rates_ask(rates, STR("b"), &most).seconds, 1780, 1801);
	rates_send(rates, STR("b"), &most, 1000000);
	assert_int_equal(rates_ask(rates, STR("b"), &most).seconds, 3601);
	rates_free(rates);
}

static void others_make_no_used_up_bucket_full(void **state)
{
	struct rates *rates = rates_new();
	char key[16];

	(void)state;
	while (ask(rates, "a"))
		;
	for (unsigned i = 0; i < OTHERS; i++) {
		snprintf(key, sizeof(key), "%u", i);
		ask(rates, key);
	}
	assert_false(ask(rates, "a"));
	rates_free(rates);
}

static void many_that_use_up_theirs_get_no_more_by_it(void **state)
{
	struct rates *rates = rates_new();
	unsigned given = 0;
	char key[16];

	(void)state;
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < OTHERS; i++) {
			snprintf(key, sizeof(key), "%u", i);
			for (unsigned j = 0; j < 5; j++)
				given += ask(rates, key);
		}
	}
	assert_true(given < OTHERS * 5); /* of the first round alone */
	rates_free(rates);
}

static void a_new_one_among_others_starts_full(void **state)
{
	struct rates *rates = rates_new();
	char key[16];

	(void)state;
	for (unsigned i = 0; i < OTHERS; i++) {
		snprintf(key, sizeof(key), "%u", i);
		ask(rates, key);
	}
	for (unsigned i = 0; i < 5; i++)
		assert_true(ask(rates, "new"));
	rates_free(rates);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bucket_is_used_up),
		cmocka_unit_test(the_time_to_wait_is_that_of_what_is_missing),
		cmocka_unit_test(others_make_no_used_up_bucket_full),
		cmocka_unit_test(many_that_use_up_theirs_get_no_more_by_it),
		cmocka_unit_test(a_new_one_among_others_starts_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
