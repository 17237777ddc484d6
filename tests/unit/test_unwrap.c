/* Lines that a terminal broke at a fixed width are joined again. */
#include "dump/table/unwrap.h"
#include "tests/unit/check.h"

static void pieces_are_joined_until_one_is_short_or_all_are_there(void **state)
{
	static const struct {
		const char *pieces[6], *lines[6];
	} cases[] = {
		{ { "12345", "678", "12345", "67890" }, { NULL, "12345678", NULL, "1234567890" } },
		{ { "123", "12345", "67890", "1" }, { "123", NULL, "1234567890", "1" } },
		{ { "123456789", "12345", "" }, { "123456789", NULL, "12345" } },
		{ { "\xe8\xae\xad\xe7\xbb\x83"
		    "123",
			  "x" },
			{ NULL, "\xe8\xae\xad\xe7\xbb\x83"
				"123x" } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unwrap unwrap = { 0 };

		unwrap_start(&unwrap, 5, 2, 1000);
		for (size_t j = 0; j < 6 && cases[i].pieces[j]; j++) {
			struct str line = STR("untouched");

			assert_int_equal(
				unwrap_line(&unwrap, str_from(cases[i].pieces[j]), &line), cases[i].lines[j] != NULL);
			assert_str(line, cases[i].lines[j] ? cases[i].lines[j] : "untouched");
		}
		unwrap_clear(&unwrap);
	}
}

static void stopping_forgets_the_line_under_way(void **state)
{
	struct unwrap unwrap = { 0 };
	struct str line;

	unwrap_start(&unwrap, 5, 2, 1000);
	assert_false(unwrap_line(&unwrap, STR("12345"), &line));
	unwrap_stop(&unwrap);
	assert_true(unwrap_line(&unwrap, STR("67890"), &line));
	assert_str(line, "67890");
	unwrap_clear(&unwrap);
}

static void a_line_that_is_too_long_does_not_spoil_the_next(void **state)
{
	struct unwrap unwrap = { 0 };
	struct str line;

	unwrap_start(&unwrap, 5, 3, 12);
	assert_false(unwrap_line(&unwrap, STR("12345"), &line));
	assert_false(unwrap_line(&unwrap, STR("67890"), &line));
	assert_true(unwrap_line(&unwrap, STR("1234"), &line));
	assert_false(unwrap_line(&unwrap, STR("abcde"), &line));
	assert_true(unwrap_line(&unwrap, STR("f"), &line));
	assert_str(line, "abcdef");
	unwrap_clear(&unwrap);
}

/* The reader stops or starts over while it still looks at a line. */
static void the_last_line_outlives_a_new_start(void **state)
{
	struct unwrap unwrap = { 0 };
	struct str line;

	unwrap_start(&unwrap, 5, 2, 1000);
	assert_false(unwrap_line(&unwrap, STR("12345"), &line));
	assert_true(unwrap_line(&unwrap, STR("67890"), &line));
	unwrap_stop(&unwrap);
	assert_str(line, "1234567890");
	unwrap_start(&unwrap, 10, 2, 1000);
	assert_false(unwrap_line(&unwrap, line, &line));
	assert_true(unwrap_line(&unwrap, STR("ab"), &line));
	assert_str(line, "1234567890ab");
	unwrap_start(&unwrap, 12, 2, 1000);
	assert_str(line, "1234567890ab");
	unwrap_clear(&unwrap);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_joined_until_one_is_short_or_all_are_there),
		cmocka_unit_test(a_line_that_is_too_long_does_not_spoil_the_next),
		cmocka_unit_test(the_last_line_outlives_a_new_start),
		cmocka_unit_test(stopping_forgets_the_line_under_way),
	};

	return run_group(tests);
}
