/* Documents by RFC 8259: accepted, or refused behind their last valid token. */
#include "json/valid.h"
#include "json/walk.h"
#include "tests/unit/check.h"

static void a_document_of_json_is_valid(void **state)
{
	static const char *const cases[] = { "{}", " [ ] ", "\"\"", "null", "-0", "1.5e+3", "0.25E-7",
		"[1,\"a\\u00e9\\n\\\"\",true,[false]]", "{\"a\":{\"b\":[{},[]]},\"\":0}\n" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t bad_at;

		if (!json_valid(str_from(cases[i]), &bad_at))
			fail_msg("%s: refused from byte %zu on", cases[i], bad_at);
	}
}

static void anything_else_is_refused_behind_its_last_valid_token(void **state)
{
	static const struct {
		const char *text;
		size_t bad_at;
	} cases[] = {
		{ "", 0 },
		{ "  ", 0 },
		{ "{", 1 },
		{ "[1", 2 },
		{ "[1,]", 3 },
		{ "[1 2]", 2 },
		{ "[,1]", 1 },
		{ "{} {}", 2 },
		{ "1,2", 1 },
		{ "{\"a\" 1}", 1 },
		{ "{\"a\":}", 5 },
		{ "{\"a\":1,}", 7 },
		{ "{a:1}", 1 },
		{ "{1:1}", 1 },
		{ "[}", 1 },
		{ "{]", 1 },
		{ "{\"a\":1]", 6 },
		{ "[01]", 1 },
		{ "[1.]", 1 },
		{ "[.5]", 1 },
		{ "[-]", 1 },
		{ "[1e]", 1 },
		{ "[+1]", 1 },
		{ "[NaN]", 1 },
		{ "[tru]", 1 },
		{ "[nulll]", 5 },
		{ "[\"a]", 1 },
		{ "[\"\\x\"]", 1 },
		{ "[\"\\u00g0\"]", 1 },
		{ "[\"\\u00", 1 },
		{ "[\"a\nb\"]", 1 },
		{ "[\"\xff\"]", 2 },
		{ "\xef\xbb\xbf{}", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t bad_at = SIZE_MAX;

		if (json_valid(str_from(cases[i].text), &bad_at) || bad_at != cases[i].bad_at)
			fail_msg("%s: byte %zu", cases[i].text, bad_at);
	}
}

static void nesting_has_a_limit(void **state)
{
	char text[2 * JSON_MAX_DEPTH + 2];
	size_t bad_at;

	memset(text, '[', JSON_MAX_DEPTH + 1);
	memset(text + JSON_MAX_DEPTH + 1, ']', JSON_MAX_DEPTH + 1);
	assert_true(json_valid((struct str){ text + 1, 2 * JSON_MAX_DEPTH }, &bad_at));
	assert_false(json_valid((struct str){ text, sizeof(text) }, &bad_at));
	assert_int_equal(bad_at, JSON_MAX_DEPTH);
}

static void a_walk_gives_each_value_with_its_name(void **state)
{
	const struct json_value object = { JSON_OBJECT, false, STR("{\"a\": [1, 2], \"b\\u0031\" : {}, \"\": null}") };
	struct json_walk walk = json_walk(&object);
	struct json_value name, value = JSON_ABSENT;

	assert_int_equal(json_count(&object), 3);
	assert_true(json_walk_next(&walk, &name, &value));
	assert_str(name.raw, "a");
	assert_int_equal(json_count(&value), 2);
	assert_true(json_walk_next(&walk, &name, &value));
	assert_true(name.escaped);
	assert_int_equal(value.kind, JSON_OBJECT);
	assert_true(json_walk_next(&walk, &name, &value));
	assert_true(json_is_word(&value, "null"));
	assert_false(json_walk_next(&walk, &name, &value));
	assert_int_equal(json_count(&JSON_ABSENT), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_document_of_json_is_valid),
		cmocka_unit_test(anything_else_is_refused_behind_its_last_valid_token),
		cmocka_unit_test(nesting_has_a_limit),
		cmocka_unit_test(a_walk_gives_each_value_with_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
