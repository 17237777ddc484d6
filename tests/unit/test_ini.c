/* Settings in sections: what is read, and where an error is. */
#include "base/memory/buf.h"
#include "base/setup/ini.h"
#include "tests/unit/check.h"

/* Every item as "line section/key=value;". */
static void put_items(struct buf *out, struct ini *ini)
{
	struct ini_item item;
	struct err err = { 0 };

	while (ini_next(ini, &item, &err) == 1)
		buf_printf(out, "%u %.*s/%.*s=%.*s;", ini->line, STR_ARG(item.section), STR_ARG(item.key),
			STR_ARG(item.value));
	assert_int_equal(err.code, 0);
}

static void settings_come_with_their_section_and_line(void **state)
{
	static const struct {
		const char *text, *items;
	} cases[] = {
		{ "", "" },
		{ "\n\n", "" },
		{ "# key = value\n; other = value", "" },
		{ "key = value", "1 /key=value;" },
		{ "\xef\xbb\xbfkey=value\r\n", "1 /key=value;" },
		{ "\t key\t=\t a b  \n", "1 /key=a b;" },
		{ "key =\n", "1 /key=;" },
		{ "key = a = b # c\n", "1 /key=a = b # c;" },
		{ "a = 1\n\n[ s t ]\nb = 2\n[u]\n", "1 /a=1;3 s t/=;4 s t/b=2;5 u/=;" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1000);
		struct ini ini = ini_of(str_from(cases[i].text), STR("x.conf"));

		put_items(&out, &ini);
		assert_str(buf_str(&out), cases[i].items);
	}
}

static void what_is_no_setting_is_refused_with_its_line(void **state)
{
	static const struct {
		const char *text, *where, *message;
	} cases[] = {
		{ "\nword\n", "x.conf:2", "'word' is not a setting" },
		{ "= value", "x.conf:1", "'= value' is not a setting" },
		{ "[open", "x.conf:1", "'[open' is not a section" },
		{ "\n[", "x.conf:2", "'[' is not a section" },
		{ "[]", "x.conf:1", "'[]' is not a section" },
		{ "[a] b = c", "x.conf:1", "'[a] b = c' is not a section" },
		{ "#\n# \xff\n", "x.conf:2", "the line is not valid UTF-8" },
		{ "\x1b[2J", "x.conf:1", "'\\x1b[2J' is not a setting" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct ini ini = ini_of(str_from(cases[i].text), STR("x.conf"));
		struct ini_item item;
		struct err err = { 0 };

		assert_int_equal(ini_next(&ini, &item, &err), -ERR_CONFIG);
		assert_string_equal(err.where, cases[i].where);
		assert_string_equal(err.text, cases[i].message);
	}
}

static void lines_have_a_maximum(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(2 * INI_LINE_BYTES);
	struct ini_item item;
	struct err err = { 0 };
	struct ini ini;

	buf_add(&text, STR("k="));
	while (text.len < INI_LINE_BYTES)
		buf_byte(&text, 'v');
	ini = ini_of(buf_str(&text), STR("x"));
	assert_int_equal(ini_next(&ini, &item, &err), 1);
	buf_byte(&text, 'v');
	ini = ini_of(buf_str(&text), STR("x"));
	assert_int_equal(ini_next(&ini, &item, &err), -ERR_CONFIG);
	ini = ini_of((struct str){ "k=\0", 3 }, STR("x"));
	assert_int_equal(ini_next(&ini, &item, &err), -ERR_CONFIG);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_come_with_their_section_and_line),
		cmocka_unit_test(what_is_no_setting_is_refused_with_its_line),
		cmocka_unit_test(lines_have_a_maximum),
	};

	return run_group(tests);
}
