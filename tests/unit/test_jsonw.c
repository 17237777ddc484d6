/* The JSON writer: commas, escapes and line breaks. */
#include <cjson/cJSON.h>

#include "json/jsonw.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

static void nesting_decides_about_commas_and_lines(void **state)
{
	CLEANUP(buf_clear) struct buf out = BUF_INIT(1000);
	struct jsonw json = jsonw_start(&out, 2);

	jsonw_object(&json);
	jsonw_key_str(&json, "a", STR("x"));
	jsonw_key(&json, "empty");
	jsonw_list(&json);
	jsonw_list_end(&json);
	jsonw_key(&json, "list");
	jsonw_list(&json);
	jsonw_object(&json);
	jsonw_key_number(&json, "n", -7);
	jsonw_key_decimal(&json, "d", 12345, 3);
	jsonw_key_bool(&json, "b", true);
	jsonw_object_end(&json);
	jsonw_list(&json);
	jsonw_number(&json, 1);
	jsonw_bool(&json, false);
	jsonw_raw(&json, STR("[[2,3]]"));
	jsonw_list_end(&json);
	jsonw_list_end(&json);
	jsonw_object_end(&json);
	assert_str(buf_str(&out),
		"{\n \"a\": \"x\",\n \"empty\": [],\n \"list\": [\n  {\"n\": -7, \"d\": 12.345, \"b\": true},\n"
		"  [1, false, [[2,3]]]\n ]\n}\n");
}

static void a_pattern_is_filled_as_it_stands(void **state)
{
	CLEANUP(buf_clear) struct buf out = BUF_INIT(1000);
	struct jsonw json = jsonw_start(&out, 0);

	jsonw_fill(&json, "{'$a': 'fixed', 'b': {'text': $}, 'c': [$, {}, [", STR("'x'"), STR("$"));
	jsonw_number(&json, 1);
	jsonw_fill(&json, "]], 'd': ''}");
	assert_str(buf_str(&out),
		"{\"$a\": \"fixed\", \"b\": {\"text\": \"'x'\"}, \"c\": [\"$\", {}, [1]], \"d\": \"\"}\n");
}

static void texts_are_escaped_for_json_and_for_pages(void **state)
{
	static const struct {
		struct str text;
		const char *json;
	} cases[] = {
		{ { "", 0 }, "\"\"" },
		{ { "aten::add", 9 }, "\"aten::add\"" },
		{ { "a\"b\\c/d", 7 }, "\"a\\\"b\\\\c/d\"" },
		{ { "\n\r\t\b\x1b\x7f\0", 7 }, "\"\\n\\r\\t\\u0008\\u001b\\u007f\\u0000\"" },
		{ { "</script><!--", 13 }, "\"\\u003c/script\\u003e\\u003c!--\"" },
		{ { "\xe8\xae\xad", 3 }, "\"\xe8\xae\xad\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1000);
		struct jsonw json = jsonw_start(&out, 0);

		jsonw_str(&json, cases[i].text);
		assert_str(buf_str(&out), cases[i].json);
	}
}

static void every_text_is_read_back_by_another_parser(void **state)
{
	uint64_t seed = 3;

	for (unsigned round = 0; round < 500; round++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(10000);
		struct jsonw json = jsonw_start(&out, 1);
		char text[50] = { 0 };
		cJSON *root;

		for (size_t i = 0; i < sizeof(text) - 1; i++)
			text[i] = (char)(1 + random_below(&seed, 127));
		jsonw_object(&json);
		jsonw_key_view(&json, str_from(text));
		jsonw_str(&json, str_from(text));
		jsonw_object_end(&json);
		root = cJSON_Parse(buf_text(&out));
		assert_non_null(root);
		assert_string_equal(root->child->string, text);
		assert_string_equal(root->child->valuestring, text);
		cJSON_Delete(root);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(nesting_decides_about_commas_and_lines),
		cmocka_unit_test(a_pattern_is_filled_as_it_stands),
		cmocka_unit_test(texts_are_escaped_for_json_and_for_pages),
		cmocka_unit_test(every_text_is_read_back_by_another_parser),
	};

	return run_group(tests);
}
