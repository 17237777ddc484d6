/* Choosing by preference: what browsers, programs and hand-written headers say. */
#include "server/http/header.h"
#include "server/http/negotiate.h"
#include "tests/unit/check.h"

static const char *const offers[] = { "application/json", "text/html; charset=utf-8", "text/plain; charset=utf-8",
	"text/csv" };

static void the_best_type_wins_and_the_first_of_equals(void **state)
{
	static const struct {
		const char *accept;
		size_t chosen;
	} cases[] = {
		{ "*/*", 0 },
		{ "application/json", 0 },
		{ "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", 1 },
		{ "text/*", 1 },
		{ "text/plain;q=0.4, text/csv;q=0.5", 3 },
		{ "TEXT/CSV", 3 },
		{ "text/*;q=0.3, text/plain;q=0.7, */*;q=0.5", 2 },
		{ "application/json;q=0, */*", 1 },
		{ "text/html;level=1;q=0.2, text/csv ; q=0.3", 3 },
		{ "application/json;q=2, text/csv", 3 },
		{ "application/json;q=abc, text/plain", 2 },
		{ "image/png", 4 },
		{ "text/html;q=0", 4 },
		{ "", 4 },
		{ ",,;;q=1,/", 4 },
		{ "text", 4 },
		{ "te/*", 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t chosen = negotiate_type(str_from(cases[i].accept), offers, ARRAY_SIZE(offers));

		if (chosen != cases[i].chosen)
			fail_msg("%s chose %zu", cases[i].accept, chosen);
	}
}

static void without_a_header_the_first_type_is_taken(void **state)
{
	assert_int_equal(negotiate_type((struct str){ 0 }, offers, ARRAY_SIZE(offers)), 0);
}

static void the_best_known_language_wins(void **state)
{
	static const struct {
		const char *header;
		enum lang lang;
	} cases[] = {
		{ "zh-CN,zh;q=0.9,en;q=0.8", LANG_ZH_CN },
		{ "en-US,en;q=0.9,zh-CN;q=0.8", LANG_EN },
		{ "de-DE,de;q=0.9,zh;q=0.2", LANG_ZH_CN },
		{ "fr, zh-TW;q=0.5, en;q=0.4", LANG_ZH_CN },
		{ "zh;q=0, en;q=0.1", LANG_EN },
		{ "*", LANG_EN },
		{ "", LANG_EN },
		{ "english", LANG_EN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		if (negotiate_lang(str_from(cases[i].header)) != cases[i].lang)
			fail_msg("%s", cases[i].header);
	}
	assert_int_equal(negotiate_lang((struct str){ 0 }), LANG_EN);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_type_wins_and_the_first_of_equals),
		cmocka_unit_test(without_a_header_the_first_type_is_taken),
		cmocka_unit_test(the_best_known_language_wins),
	};

	return run_group(tests);
}
