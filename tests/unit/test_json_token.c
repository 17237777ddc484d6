/* Tokens of JSON, right and wrong ones, and that every way to skip gives the same. */
#include "json/token.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

static struct json_cursor cursor_of(struct str text)
{
	return (struct json_cursor){ text.ptr, text.ptr + text.len };
}

/* The first value of a text as "status kind raw", and what is left. */
static void assert_value(const char *text, const char *expected)
{
	static const char *const kinds[] = { "string", "word", "list", "object" };
	struct json_cursor cursor = cursor_of(str_from(text));
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1000);
	struct json_value value = { 0 };

	switch (json_value(&cursor, &value)) {
	case JSON_OK:
		buf_printf(&got, "%s%s ", kinds[value.kind], value.escaped ? " escaped" : "");
		buf_add(&got, value.raw);
		buf_byte(&got, '~');
		buf_add(&got, (struct str){ cursor.at, (size_t)(cursor.end - cursor.at) });
		break;
	case JSON_MORE:
		buf_add(&got, STR("more"));
		break;
	case JSON_BROKEN:
		buf_printf(&got, "broken at %d", (int)(cursor.at - text));
		break;
	}
	if (strcmp(buf_text(&got), expected) != 0)
		fail_msg("%s: %s, not %s", text, buf_text(&got), expected);
}

static void values_are_told_apart_and_skipped(void **state)
{
	static const char *const cases[][2] = {
		{ "\"a\", 1", "string a~, 1" },
		{ " \n\t\"\":", "string ~:" },
		{ "\"a\\\"b\\\\\" ", "string escaped a\\\"b\\\\~ " },
		{ "\"a string of many bytes, with a quote behind the first block \\\" and more\"}",
			"string escaped a string of many bytes, with a quote behind the first block \\\" and more~}" },
		{ "12.5,", "word 12.5~," },
		{ "-1e-5]", "word -1e-5~]" },
		{ "N/A }", "word N/A~ }" },
		{ "NaN,", "word NaN~," },
		{ ", 1", "word ~, 1" },
		{ "}", "word ~}" },
		{ "[1, [2, \"]\"], {\"a\": 3}], 4", "list [1, [2, \"]\"], {\"a\": 3}]~, 4" },
		{ "{\"a\": \"}\\\"}\", \"b\": [{}]}x", "object {\"a\": \"}\\\"}\", \"b\": [{}]}~x" },
		{ "\x01\x02,", "word \x01\x02~," },
		{ "\"a\x01\xff\"", "string a\x01\xff~" },
		{ "", "more" },
		{ "  ", "more" },
		{ "\"a", "more" },
		{ "\"a\\", "more" },
		{ "\"a\\\"", "more" },
		{ "12", "more" },
		{ "[1, 2", "more" },
		{ "{\"a\": \"}", "more" },
		{ "12:", "broken at 0" },
		{ "12\"", "broken at 0" },
		{ "a{", "broken at 0" },
		{ "[\"a\nb\"]", "broken at 3" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_value(cases[i][0], cases[i][1]);
}

static void objects_and_lists_forgive_commas(void **state)
{
	struct str text = STR("{ \"a\": 1,, \"b\" : \"x\" \"c\":[], \"d\": , \"e\": 2 , }");
	struct json_cursor cursor = cursor_of(text);
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1000);
	struct json_value value;
	bool closed = false;
	struct str key = { 0 };

	assert_int_equal(json_open(&cursor, '{'), JSON_OK);
	while (json_key(&cursor, &key, &closed) == JSON_OK && !closed) {
		assert_int_equal(json_value(&cursor, &value), JSON_OK);
		buf_printf(&got, "%.*s=%.*s;", STR_ARG(key), STR_ARG(value.raw));
	}
	assert_true(closed);
	assert_string_equal(buf_text(&got), "a=1;b=x;c=[];d=;e=2;");
	cursor = cursor_of(STR("[1,,2 3,]"));
	buf_reset(&got);
	assert_int_equal(json_open(&cursor, '['), JSON_OK);
	while (json_item(&cursor, &value, &closed) == JSON_OK && !closed)
		buf_printf(&got, "%.*s;", STR_ARG(value.raw));
	assert_true(closed);
	assert_string_equal(buf_text(&got), "1;2;3;");
}

static void keys_must_be_strings_before_a_colon(void **state)
{
	static const char *const broken[] = { "a: 1}", "1: 1}", "\"a\" 1}", "\"a\"}", "[", "]" };
	static const char *const more[] = { "", " , ", "\"a", "\"a\"", "\"a\" " };
	bool closed;
	struct str key;

	for (size_t i = 0; i < ARRAY_SIZE(broken); i++) {
		struct json_cursor cursor = cursor_of(str_from(broken[i]));

		assert_int_equal(json_key(&cursor, &key, &closed), JSON_BROKEN);
	}
	for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
		struct json_cursor cursor = cursor_of(str_from(more[i]));

		assert_int_equal(json_key(&cursor, &key, &closed), JSON_MORE);
	}
}

static void nesting_and_words_have_limits(void **state)
{
	char text[1000];
	struct json_cursor cursor = { text, text + sizeof(text) };
	struct json_value value;

	memset(text, '[', sizeof(text));
	assert_int_equal(json_value(&cursor, &value), JSON_BROKEN);
	assert_int_equal(cursor.at - text, JSON_MAX_DEPTH + 1);
	memset(text + JSON_MAX_DEPTH, ']', sizeof(text) - JSON_MAX_DEPTH);
	cursor.at = text;
	assert_int_equal(json_value(&cursor, &value), JSON_OK);
	assert_int_equal(value.raw.len, 2 * JSON_MAX_DEPTH);
	memset(text, '1', sizeof(text));
	text[JSON_MAX_WORD] = ',';
	cursor.at = text;
	assert_int_equal(json_value(&cursor, &value), JSON_OK);
	text[JSON_MAX_WORD] = '1';
	cursor.at = text;
	assert_int_equal(json_value(&cursor, &value), JSON_BROKEN);
}

static void strings_become_text(void **state)
{
	static const struct {
		const char *raw, *text;
	} cases[] = {
		{ "plain", "plain" },
		{ "a\\n\\t\\\\\\\"\\/\\b\\f\\r", "a\n\t\\\"/\b\f\r" },
		{ "\\u0041\\u00e9\\u4e2d", "A\xc3\xa9\xe4\xb8\xad" },
		{ "\\ud83d\\ude00", "\xf0\x9f\x98\x80" },
		{ "\\ud83dx", "\xef\xbf\xbdx" },
		{ "\\ud83d\\u0041", "\xef\xbf\xbd"
				    "A" },
		{ "\\udc00", "\xef\xbf\xbd" },
		{ "\\u12", "\xef\xbf\xbd"
			   "12" },
		{ "\\x", "x" },
		{ "label \xd1\xb5\xff", "label \xd1\xb5\xef\xbf\xbd" },
		{ "ends in \\", "ends in " },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(1000);
		struct json_value value = { JSON_STRING, strchr(cases[i].raw, '\\') != NULL, str_from(cases[i].raw) };

		json_text(&text, &value);
		assert_str(buf_str(&text), cases[i].text);
	}
}

static void numbers_are_exact_in_the_unit_asked_for(void **state)
{
	static const struct {
		const char *raw;
		int64_t scale;
		bool good;
		int64_t value;
	} cases[] = {
		{ "4400029099050.173", 1000, true, 4400029099050173 },
		{ "1623142623460172", 1000, true, 1623142623460172000 },
		{ "1704161511420306.491", 1000, true, 1704161511420306491 },
		{ "3.5", 1000, true, 3500 },
		{ "3", 1000, true, 3000 },
		{ "0.0006", 1000, true, 1 },
		{ "-2.25", 1000, true, -2250 },
		{ "0.12345678901234567", 1000, true, 123 },
		{ "5e-05", 1000, true, 0 },
		{ "5e-1", 1000, true, 500 },
		{ "15e-1", 1, true, 2 },
		{ "-14e-1", 1, true, -1 },
		{ "9223372036854775e-15", 1000, true, 9223 },
		{ "1.5E+3", 1000, true, 1500000 },
		{ "2e15", 1000, true, 2000000000000000000 },
		{ "20014424528133100", 1000, false, 0 },
		{ "20014424528133100", 1, true, 20014424528133100 },
		{ "1.5", 1, true, 2 },
		{ "12", 1, true, 12 },
		{ " 7 ", 1, true, 7 },
		{ "", 1000, false, 0 },
		{ "N/A", 1000, false, 0 },
		{ "NaN", 1, false, 0 },
		{ "1.", 1000, false, 0 },
		{ ".5", 1000, false, 0 },
		{ "1e400", 1000, false, 0 },
		{ "1e", 1000, false, 0 },
		{ "99999999999999999999", 1, false, 0 },
		{ "1.2.3", 1000, false, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct json_value value = { JSON_WORD, false, str_from(cases[i].raw) };
		int64_t got = 77;

		if (json_scaled(&value, cases[i].scale, &got) != cases[i].good ||
			got != (cases[i].good ? cases[i].value : 77))
			fail_msg("%s: %lld", cases[i].raw, (long long)got);
		value.kind = JSON_STRING; /* 64-bit numbers come as text */
		assert_int_equal(json_scaled(&value, cases[i].scale, &got), cases[i].good);
		value.kind = JSON_LIST;
		assert_false(json_scaled(&value, cases[i].scale, &got));
	}
}

/* Bytes that matter to JSON, much more often than others. */
static void fill(char *text, size_t len, uint64_t *random)
{
	static const char bytes[] = "\"\"\\\\{}[]{}[],: \nabcdefgh1234567890\x01\xff";

	for (size_t i = 0; i < len; i++)
		text[i] = bytes[random_below(random, sizeof(bytes) - 1)];
}

/* A close that is found is where the walk ends; all ways find the same ones. */
static void assert_close(const struct json_simd *simd, const struct json_simd *portable, struct str text)
{
	struct json_skip skip = { .depth = 1 };
	const char *close = simd->find_close(text.ptr, text.ptr + text.len);
	struct str rest = text;

	assert_ptr_equal(close, portable->find_close(text.ptr, text.ptr + text.len));
	if (close) {
		assert_int_equal(portable->walk(&skip, &rest), JSON_OK);
		assert_ptr_equal(rest.ptr, close);
	}
}

static void assert_same(const struct json_simd *simd, const struct json_simd *portable, struct str text, size_t piece)
{
	struct json_skip one = { .depth = 1 }, other = one;
	struct str rest = text, first = text;
	enum json_status status, expected = portable->walk(&one, &first);
	const char *end = text.ptr + text.len;

	/* in pieces, by the other way: the same end */
	do {
		struct str part = str_sub(rest, 0, rest.len < piece ? rest.len : piece);
		const char *start = part.ptr;

		status = simd->walk(&other, &part);
		rest = str_skip(rest, (size_t)(part.ptr - start));
	} while (status == JSON_MORE && rest.len);
	if (status != expected || rest.ptr != first.ptr)
		fail_msg("%s differs from %s in pieces of %zu: %.*s", simd->name, portable->name, piece, STR_ARG(text));
	if (status == JSON_MORE)
		assert_memory_equal(&one, &other, sizeof(one));
	assert_ptr_equal(simd->find_quote(text.ptr, end), portable->find_quote(text.ptr, end));
	assert_close(simd, portable, text);
}

static void every_way_to_skip_gives_the_same(void **state)
{
	static const size_t pieces[] = { 1, 2, 3, 7, 63, 64, 65, 4096 };
	const struct json_simd *portable = NULL;
	uint64_t random = 7;
	char text[400];

	for (size_t i = 0; json_simd(i); i++)
		portable = json_simd(i);
	assert_string_equal(portable->name, "portable");
	for (size_t round = 0; round < 20000; round++) {
		size_t len = random_below(&random, sizeof(text)), start = random_below(&random, 8);

		fill(text, sizeof(text), &random);
		if (round % 4 == 0)
			memset(text + len / 3, 'x', len / 2);
		start = start < len ? start : 0;
		for (size_t i = 0; json_simd(i); i++)
			assert_same(json_simd(i), portable, (struct str){ text + start, len - start },
				pieces[round % ARRAY_SIZE(pieces)]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_told_apart_and_skipped),
		cmocka_unit_test(objects_and_lists_forgive_commas),
		cmocka_unit_test(keys_must_be_strings_before_a_colon),
		cmocka_unit_test(nesting_and_words_have_limits),
		cmocka_unit_test(strings_become_text),
		cmocka_unit_test(numbers_are_exact_in_the_unit_asked_for),
		cmocka_unit_test(every_way_to_skip_gives_the_same),
	};

	return run_group(tests);
}
