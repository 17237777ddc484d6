/* Columns and paragraphs by what a terminal shows. */
#include "base/value/utf8.h"
#include "report/doc/textw.h"
#include "tests/unit/check.h"

static void cells_have_their_width_whatever_is_in_them(void **state)
{
	static const struct {
		const char *text, *left, *right;
		unsigned columns;
	} cases[] = {
		{ "add", "add  ", "  add", 5 },
		{ "addmm", "addmm", "addmm", 5 },
		{ "addmm_", "addm\xe2\x80\xa6", "addm\xe2\x80\xa6", 5 },
		{ "", "   ", "   ", 3 },
		{ "\xe8\xae\xad\xe7\xbb\x83", "\xe8\xae\xad\xe7\xbb\x83 ", " \xe8\xae\xad\xe7\xbb\x83", 5 },
		/* half of a wide character does not fit: a blank takes its place */
		{ "\xe8\xae\xad\xe7\xbb\x83x", "\xe8\xae\xad\xe2\x80\xa6 ", " \xe8\xae\xad\xe2\x80\xa6", 4 },
		{ "\xe8\xae\xad", "\xe2\x80\xa6", "\xe2\x80\xa6", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf left = BUF_INIT(100), right = BUF_INIT(100);
		struct textw text = { &left, 80, false };

		textw_column(&text, str_from(cases[i].text), cases[i].columns, false);
		text.out = &right;
		textw_column(&text, str_from(cases[i].text), cases[i].columns, true);
		assert_str(buf_str(&left), cases[i].left);
		assert_str(buf_str(&right), cases[i].right);
		assert_int_equal(utf8_columns(buf_str(&left)), cases[i].columns);
		assert_int_equal(utf8_columns(buf_str(&right)), cases[i].columns);
	}
}

static void colour_is_only_written_where_it_is_wanted(void **state)
{
	CLEANUP(buf_clear) struct buf out = BUF_INIT(100);
	struct textw text = { &out, 80, true };

	textw_colored(&text, COLOR_RED, STR("a"));
	textw_colored(&text, COLOR_NONE, STR("b"));
	text.color = false;
	textw_colored(&text, COLOR_RED, STR("c"));
	assert_str(buf_str(&out), "\x1b[31ma\x1b[0mbc");
}

static void paragraphs_are_broken_at_blanks_and_before_wide_characters(void **state)
{
	static const struct {
		const char *text, *lines;
		unsigned first, indent;
	} cases[] = {
		{ "", "", 0, 0 },
		{ "one", "one\n", 0, 0 },
		{ "one two three four five six", "one two three four\nfive six\n", 0, 0 },
		{ "one two three four five six", "one two three\n  four five six\n", 5, 2 },
		{ "one two three fou", "one two three fou\n", 3, 0 },
		{ "one two three  four", "one two three\nfour\n", 5, 0 },
		{ "native 58 aten (73.2 %)", "native 58 aten\n(73.2 %)\n", 0, 0 },
		{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaa\naaaaaaaaaa\n", 0, 0 },
		/* ten wide characters fill twenty columns */
		{ "\xe8\xae\xad\xe8\xae\xad\xe8\xae\xad\xe8\xae\xad\xe8\xae\xad\xe8\xae\xad\xe8\xae\xad\xe8\xae\xad\xe8"
		  "\xae\xad\xe8\xae\xad\xe8\xae\xad",
			"\xe8\xae\xad\xe8\xae\xad\xe8\xae\xad\xe8\xae\xad\xe8\xae\xad\xe8\xae\xad\xe8\xae\xad\xe8\xae"
			"\xad\xe8\xae\xad\xe8\xae\xad\n\xe8\xae\xad\n",
			0, 0 },
		/* a wide character before an endless word: the line must end somewhere */
		{ "\xe8\xae\xad"
		  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
			"\xe8\xae\xad"
			"aaaaaaaaaaaaaaaaaa\naaaaaaaaaaaa\n",
			0, 0 },
		{ " aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", " aaaaaaaaaaaaaaaaaaa\naaaaaaaaaaa\n", 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1000);
		struct textw text = { &out, 20, false };

		textw_wrap(&text, str_from(cases[i].text), cases[i].first, cases[i].indent);
		assert_str(buf_str(&out), cases[i].lines);
	}
}

static void a_copy_of_foreign_text_is_safe_to_show(void **state)
{
	CLEANUP(buf_clear) struct buf copy = textw_printable(STR("a\x1b[2J\xff"));

	assert_str(buf_str(&copy), "a\\x1b[2J\xef\xbf\xbd");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_have_their_width_whatever_is_in_them),
		cmocka_unit_test(colour_is_only_written_where_it_is_wanted),
		cmocka_unit_test(paragraphs_are_broken_at_blanks_and_before_wide_characters),
		cmocka_unit_test(a_copy_of_foreign_text_is_safe_to_show),
	};

	return run_group(tests);
}
