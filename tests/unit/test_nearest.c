/* Misspelt names and what they may have meant. */
#include "base/value/nearest.h"
#include "tests/unit/check.h"

static void distance_counts_the_edits_and_stops_at_the_maximum(void **state)
{
	static const struct {
		const char *a, *b;
		unsigned distance;
	} cases[] = {
		{ "", "", 0 },
		{ "add", "add", 0 },
		{ "add", "adds", 1 },
		{ "adds", "add", 1 },
		{ "add", "and", 1 },
		{ "adn", "and", 1 },
		{ "conv2", "conv2d", 1 },
		{ "abcd", "badc", 2 },
		{ "relu", "gelu_", 2 },
		{ "abcdef", "xyz", 4 },
		{ "", "abcd", 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(edit_distance(str_from(cases[i].a), str_from(cases[i].b), 3), cases[i].distance);
}

static void texts_over_255_bytes_are_never_near(void **state)
{
	static char text[512];

	memset(text, 'a', sizeof(text));
	assert_int_equal(edit_distance((struct str){ text, 255 }, (struct str){ text, 255 }, 2), 0);
	assert_int_equal(edit_distance((struct str){ text, 256 }, (struct str){ text, 256 }, 2), 3);
}

static void the_best_candidates_stay_and_equals_keep_their_order(void **state)
{
	static const char *const offers[] = { "adx_", "added", "ad_", "addd_", "aad_", "add_", "mul_", "adb_", "ada_" };
	struct nearest nearest = NEAREST_TO(STR("add_"));
	CLEANUP(buf_clear) struct buf text = BUF_INIT(100);

	for (size_t i = 0; i < ARRAY_SIZE(offers); i++)
		nearest_offer(&nearest, str_from(offers[i]));
	nearest_put(&text, &nearest);
	assert_str(buf_str(&text), "add_, adx_, ad_, addd_, aad_");
}

static void a_beginning_stands_before_what_is_misspelt(void **state)
{
	struct nearest nearest = NEAREST_TO(STR("npu@2.12"));
	CLEANUP(buf_clear) struct buf text = BUF_INIT(100);

	nearest_offer(&nearest, STR("npu@2.1.0"));
	nearest_offer(&nearest, STR("npu@2.12.0-26.1.0"));
	nearest_put(&text, &nearest);
	assert_str(buf_str(&text), "npu@2.12.0-26.1.0, npu@2.1.0");
}

static void a_short_name_is_not_near_to_what_shares_half_of_it(void **state)
{
	struct nearest nearest = NEAREST_TO(STR("cuda"));

	nearest_offer(&nearest, STR("musa"));
	assert_int_equal(nearest.count, 0);
	nearest_offer(&nearest, STR("cud"));
	assert_int_equal(nearest.count, 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(distance_counts_the_edits_and_stops_at_the_maximum),
		cmocka_unit_test(texts_over_255_bytes_are_never_near),
		cmocka_unit_test(the_best_candidates_stay_and_equals_keep_their_order),
		cmocka_unit_test(a_beginning_stands_before_what_is_misspelt),
		cmocka_unit_test(a_short_name_is_not_near_to_what_shares_half_of_it),
	};

	return run_group(tests);
}
