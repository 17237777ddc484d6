/* Patterns over names of operators and targets. */
#include "base/view/ascii.h"
#include "base/view/str.h"
#include "tests/unit/check.h"

static void stars_and_question_marks_stand_for_bytes(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool fits;
	} cases[] = {
		{ "", "", true },
		{ "", "a", false },
		{ "*", "", true },
		{ "*", "aten::add", true },
		{ "aten::add", "aten::add", true },
		{ "aten::add", "aten::add_", false },
		{ "aten::add", "aten::ad", false },
		{ "aten::add*", "aten::add", true },
		{ "aten::add*", "aten::addmm", true },
		{ "aten::?dd", "aten::add", true },
		{ "aten::?dd", "aten::dd", false },
		{ "*mm", "aten::addmm", true },
		{ "*mm", "aten::mm_", false },
		{ "*a*b*", "xxaxxbxx", true },
		{ "*a*b*", "xxbxxaxx", false },
		{ "*ab", "aab", true },
		{ "*aab*b", "aaabab", true },
		{ "a**b", "ab", true },
		{ "npu@*:910B", "npu@v2.7.1-26.0.0:910B", true },
		{ "[ab]", "a", false },
		{ "[ab]", "[ab]", true },
		{ "A", "a", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		if (str_fits(str_from(cases[i].pattern), str_from(cases[i].text)) != cases[i].fits)
			fail_msg("%s against %s", cases[i].pattern, cases[i].text);
	}
}

static void many_stars_cost_no_more_than_both_lengths(void **state)
{
	static char pattern[2001], text[4000];

	for (size_t i = 0; i < 2000; i += 2) {
		pattern[i] = '*';
		pattern[i + 1] = 'a';
	}
	pattern[2000] = 'b';
	memset(text, 'a', sizeof(text));
	assert_false(str_fits((struct str){ pattern, sizeof(pattern) }, (struct str){ text, sizeof(text) }));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(stars_and_question_marks_stand_for_bytes),
		cmocka_unit_test(many_stars_cost_no_more_than_both_lengths),
	};

	return run_group(tests);
}
