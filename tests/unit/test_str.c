/* Views of text: taken apart, compared and put in order. */
#include "base/view/ascii.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

static void equality_may_ignore_the_case_of_ascii_letters_alone(void **state)
{
	static const struct {
		const char *a, *b;
		bool same, folded;
	} cases[] = {
		{ "", "", true, true },
		{ "NaN", "nan", false, true },
		{ "add", "add_", false, false },
		{ "add", "ad", false, false },
		{ "@Z[", "`z{", false, false },
		{ "\xc3\x84", "\xc3\xa4", false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(str_eq(str_from(cases[i].a), str_from(cases[i].b)), cases[i].same);
		assert_int_equal(str_eq_fold(str_from(cases[i].a), str_from(cases[i].b)), cases[i].folded);
	}
}

static void heads_and_tails_are_never_longer_than_the_text(void **state)
{
	assert_true(str_starts(STR("aten::add"), STR("aten::")));
	assert_true(str_starts(STR("aten"), STR("")));
	assert_false(str_starts(STR("ate"), STR("aten")));
	assert_true(str_ends(STR("12.5us"), STR("us")));
	assert_false(str_ends(STR("s"), STR("us")));
	assert_str(str_skip(STR("aten::add"), 6), "add");
	assert_str(str_chop(STR("12.5us"), 2), "12.5");
	assert_str(str_sub(STR("aten::add"), 4, 6), "::");
}

static void the_first_needle_is_found(void **state)
{
	static const struct {
		const char *text, *needle;
		size_t at;
	} cases[] = {
		{ "aten::add::x", "::", 4 },
		{ "aten", "::", STR_NONE },
		{ "", "x", STR_NONE },
		{ "", "", 0 },
		{ "abc", "", 0 },
		{ "abc", "abcd", STR_NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(str_find(str_from(cases[i].text), str_from(cases[i].needle)), cases[i].at);
	assert_int_equal(str_find((struct str){ "a\0b\0c", 5 }, (struct str){ "\0c", 2 }), 3);
}

static void trimming_takes_blanks_at_both_ends_and_none_inside(void **state)
{
	static const struct {
		const char *text, *trimmed;
	} cases[] = {
		{ " \t\r\n my  label \r\n", "my  label" },
		{ "", "" },
		{ "   ", "" },
		{ "\v x", "\v x" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_str(str_trim(str_from(cases[i].text)), cases[i].trimmed);
}

static void cutting_gives_every_part_and_then_none(void **state)
{
	static const struct {
		const char *text, *parts[4];
		size_t count;
	} cases[] = {
		{ "a=b=c", { "a", "b", "c" }, 3 },
		{ "a", { "a" }, 1 },
		{ "", { "" }, 1 },
		{ "=", { "", "" }, 2 },
		{ "a==", { "a", "", "" }, 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct str rest = str_from(cases[i].text), part = STR("untouched");

		for (size_t j = 0; j < cases[i].count; j++) {
			assert_true(str_cut(&rest, '=', &part));
			assert_str(part, cases[i].parts[j]);
		}
		part = STR("untouched");
		assert_false(str_cut(&rest, '=', &part));
		assert_str(part, "untouched");
		assert_null(rest.ptr);
	}
}

static void byte_order_puts_a_head_before_its_continuation(void **state)
{
	static const char *const ascending[] = { "", "A", "AB", "a", "a\x7f", "b", "\x80" };

	for (size_t i = 0; i < ARRAY_SIZE(ascending); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(ascending); j++) {
			int order = str_cmp(str_from(ascending[i]), str_from(ascending[j]));

			assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
		}
	}
}

static void natural_order_compares_runs_of_digits_as_numbers(void **state)
{
	static const char *const ascending[] = {
		"",
		"rank",
		"rank1.log",
		"rank2.log",
		"rank02.log1",
		"rank2.log10",
		"rank10.log",
		"rank010.log2",
		"rank99999999999999999998.log",
		"rank99999999999999999999.log",
		"rank100000000000000000000.log",
		"ranks",
	};

	for (size_t i = 0; i < ARRAY_SIZE(ascending); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(ascending); j++) {
			int order = str_natural_cmp(str_from(ascending[i]), str_from(ascending[j]));

			if ((order > 0) - (order < 0) != (i > j) - (i < j))
				fail_msg("\"%s\" against \"%s\" gives %d", ascending[i], ascending[j], order);
		}
	}
}

/* A comparison that is no order makes qsort read past its array. */
static void natural_order_is_an_order(void **state)
{
	enum { TEXTS = 60, LEN = 5 };
	char texts[TEXTS][LEN];
	uint64_t seed = 1;

	for (size_t i = 0; i < TEXTS; i++) {
		for (size_t j = 0; j < LEN; j++)
			texts[i][j] = "0019ax"[random_below(&seed, 6)];
	}
	for (size_t i = 0; i < TEXTS * TEXTS * TEXTS; i++) {
		struct str a = { texts[i % TEXTS], LEN }, b = { texts[i / TEXTS % TEXTS], LEN };
		struct str c = { texts[i / TEXTS / TEXTS], LEN };
		int ab = str_natural_cmp(a, b), bc = str_natural_cmp(b, c);

		assert_true((ab < 0) == (str_natural_cmp(b, a) > 0));
		assert_true((ab == 0) == str_eq(a, b));
		if (ab <= 0 && bc <= 0)
			assert_true(str_natural_cmp(a, c) <= 0);
	}
}

static void a_text_has_its_place_in_a_list_or_among_structs_that_begin_with_one(void **state)
{
	static const struct str texts[] = { STR("add"), STR(""), STR("add") };
	static const struct {
		struct str name;
		int more;
	} items[] = { { STR("add"), 1 }, { STR("mul"), 2 } };

	assert_int_equal(STR_POSITION(texts, ARRAY_SIZE(texts), STR("add")), 0);
	assert_int_equal(STR_POSITION(texts, ARRAY_SIZE(texts), STR("")), 1);
	assert_int_equal(STR_POSITION(items, ARRAY_SIZE(items), STR("mul")), 1);
	assert_false(STR_IS_AMONG(items, ARRAY_SIZE(items), STR("mu")));
	assert_false(STR_IS_AMONG((const struct str *)NULL, 0, STR("add")));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(equality_may_ignore_the_case_of_ascii_letters_alone),
		cmocka_unit_test(heads_and_tails_are_never_longer_than_the_text),
		cmocka_unit_test(the_first_needle_is_found),
		cmocka_unit_test(trimming_takes_blanks_at_both_ends_and_none_inside),
		cmocka_unit_test(cutting_gives_every_part_and_then_none),
		cmocka_unit_test(byte_order_puts_a_head_before_its_continuation),
		cmocka_unit_test(natural_order_compares_runs_of_digits_as_numbers),
		cmocka_unit_test(natural_order_is_an_order),
		cmocka_unit_test(a_text_has_its_place_in_a_list_or_among_structs_that_begin_with_one),
	};

	return run_group(tests);
}
