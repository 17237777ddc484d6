/* Text of unknown origin: what is valid, how broken text is repaired, how wide it is and how it is made safe to show. */
#include "base/value/utf8.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

static void valid_text_is_told_from_invalid_by_its_first_bad_byte(void **state)
{
	static const struct {
		const char *text;
		size_t bad_at; /* STR_NONE: valid */
	} cases[] = {
		{ "", STR_NONE },
		{ "aten::add", STR_NONE },
		{ "\xe8\xae\xad\xe7\xbb\x83 step", STR_NONE },
		{ "\xf0\x9f\x98\x80", STR_NONE },
		{ "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf", STR_NONE },
		{ "a\xff", 1 },
		{ "ab\xc0\x80", 2 },
		{ "\xe0\x80\x80", 0 },
		{ "\xed\xa0\x80", 0 },
		{ "\xf4\x90\x80\x80", 0 },
		{ "\x80", 0 },
		{ "abc\xe8\xae", 3 },
		{ "\xe8\xae\xad\xe8", 3 },
		{ "0123456789012345678901234567890123456789\xc3x", 40 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t bad_at = STR_NONE;

		assert_int_equal(utf8_valid(str_from(cases[i].text), &bad_at), cases[i].bad_at == STR_NONE);
		assert_int_equal(bad_at, cases[i].bad_at);
	}
}

static void one_high_byte_is_enough_wherever_it_stands(void **state)
{
	char text[100];

	for (size_t len = 0; len <= sizeof(text); len++) {
		memset(text, 'x', sizeof(text));
		assert_true(utf8_is_ascii((struct str){ text, len }));
		for (size_t at = 0; at < len; at++) {
			size_t bad_at = STR_NONE;

			text[at] = (char)0x80;
			assert_false(utf8_is_ascii((struct str){ text, len }));
			assert_false(utf8_valid((struct str){ text, len }, &bad_at));
			assert_int_equal(bad_at, at);
			text[at] = 'x';
		}
	}
}

static void a_broken_sequence_becomes_one_replacement(void **state)
{
	static const struct {
		const char *text, *repaired;
		size_t count;
	} cases[] = {
		{ "", "", 0 },
		{ "aten::add", "aten::add", 0 },
		{ "a\xff"
		  "b",
			"a\xef\xbf\xbd"
			"b",
			1 },
		{ "\xe8\xae", "\xef\xbf\xbd", 1 },
		{ "\xe8\xae"
		  "A",
			"\xef\xbf\xbd"
			"A",
			1 },
		{ "\xf0\x9f\x98"
		  "\xe8\xae\xad",
			"\xef\xbf\xbd\xe8\xae\xad", 1 },
		{ "\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd", 2 },
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(100);

		assert_int_equal(utf8_repair(&out, str_from(cases[i].text)), cases[i].count);
		assert_str(buf_str(&out), cases[i].repaired);
	}
}

static void any_bytes_become_valid(void **state)
{
	uint64_t seed = 3;

	for (unsigned round = 0; round < 3000; round++) {
		CLEANUP(buf_clear) struct buf repaired = BUF_INIT(1000), printable = BUF_INIT(1000);
		char text[40];
		size_t len = random_below(&seed, sizeof(text)), unused;

		for (size_t i = 0; i < len; i++)
			text[i] = "\x00\x1b\x7f\x80\xbf\xc2\xe2\xed\xf0\xf4\xff"
				  "ab"[random_below(&seed, 13)];
		utf8_repair(&repaired, (struct str){ text, len });
		utf8_printable(&printable, (struct str){ text, len });
		assert_true(utf8_valid(buf_str(&repaired), &unused));
		assert_true(utf8_valid(buf_str(&printable), &unused));
		assert_false(str_has(buf_str(&printable), STR("\x1b")));
	}
}

static void code_points_are_counted_and_found(void **state)
{
	struct str text = STR("a\xc3\xa4\xe8\xae\xad\xf0\x9f\x98\x80z");
	static const size_t offsets[] = { 0, 1, 3, 6, 10, 11, 11 };

	assert_int_equal(utf8_points(text), 5);
	assert_int_equal(utf8_points(STR("")), 0);
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++)
		assert_int_equal(utf8_offset(text, i), offsets[i]);
	assert_int_equal(utf8_offset(STR(""), 0), 0);
}

static void columns_are_those_of_a_terminal(void **state)
{
	static const struct {
		const char *text;
		size_t columns;
	} cases[] = {
		{ "", 0 },
		{ "aten::add", 9 },
		{ "\xe8\xae\xad\xe7\xbb\x83", 4 },
		{ "e\xcc\x81", 1 },
		{ "\xc3\xa4", 1 },
		{ "\xe2\x80\xa6", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(utf8_columns(str_from(cases[i].text)), cases[i].columns);
}

static void the_head_that_fits_never_splits_a_character(void **state)
{
	struct str text = STR("a\xe8\xae\xad"
			      "b\xe7\xbb\x83");
	static const char *const heads[] = { "", "a", "a", "a\xe8\xae\xad",
		"a\xe8\xae\xad"
		"b",
		"a\xe8\xae\xad"
		"b",
		"a\xe8\xae\xad"
		"b\xe7\xbb\x83",
		"a\xe8\xae\xad"
		"b\xe7\xbb\x83" };

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		assert_str(utf8_fit(text, i), heads[i]);
}

static void a_head_of_some_bytes_never_splits_a_character(void **state)
{
	struct str text = STR("a\xe8\xae\xad\xc3\xa4\xf0\x9f\x98\x80");
	static const size_t lengths[] = { 0, 1, 1, 1, 4, 4, 6, 6, 6, 6, 10, 10 };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++)
		assert_int_equal(utf8_head(text, i).len, lengths[i]);
}

static void what_a_terminal_would_act_upon_becomes_visible(void **state)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{ "my label", "my label" },
		{ "\xe8\xae\xad", "\xe8\xae\xad" },
		{ "\x1b[31mred", "\\x1b[31mred" },
		{ "a\tb\nc\rd", "a\\x09b\\x0ac\\x0dd" },
		{ "\x7f", "\\x7f" },
		{ "\xc2\x9b"
		  "31m",
			"\\x9b31m" },
		{ "\xc2\xa0", "\xc2\xa0" },
		{ "\xe2\x80\xa8\xe2\x80\xa9", "\\u{2028}\\u{2029}" },
		{ "\xe2\x80\xaa\xe2\x80\xae", "\\u{202a}\\u{202e}" },
		{ "\xe2\x81\xa6\xe2\x81\xa9", "\\u{2066}\\u{2069}" },
		{ "\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c", "\\u{200e}\\u{200f}\\u{061c}" },
		{ "\xef\xbb\xbf", "\\u{feff}" },
		{ "\xff\xe8\xae"
		  "z",
			"\xef\xbf\xbd\xef\xbf\xbdz" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(100);

		utf8_printable(&out, str_from(cases[i].text));
		assert_str(buf_str(&out), cases[i].shown);
	}
}

static void a_nul_in_a_text_is_shown_and_does_not_end_it(void **state)
{
	CLEANUP(buf_clear) struct buf out = BUF_INIT(100);

	utf8_printable(&out, (struct str){ "a\0b", 3 });
	assert_str(buf_str(&out), "a\\x00b");
}

static void a_message_shows_the_beginning_of_any_text(void **state)
{
	CLEANUP(buf_clear) struct buf wide = BUF_INIT(10000);
	size_t unused;

	assert_string_equal(shown(STR("rank\x1b")).text, "rank\\x1b");
	for (size_t i = 0; i < 500; i++) {
		struct shown beginning = shown(buf_str(&wide));

		assert_true(utf8_valid(str_from(beginning.text), &unused));
		if (wide.len >= sizeof(beginning.text))
			assert_true(str_ends(str_from(beginning.text), STR("...")));
		buf_add(&wide, i % 2 ? STR("\xe8\xae\xad") : STR("x"));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(valid_text_is_told_from_invalid_by_its_first_bad_byte),
		cmocka_unit_test(one_high_byte_is_enough_wherever_it_stands),
		cmocka_unit_test(a_broken_sequence_becomes_one_replacement),
		cmocka_unit_test(any_bytes_become_valid),
		cmocka_unit_test(code_points_are_counted_and_found),
		cmocka_unit_test(columns_are_those_of_a_terminal),
		cmocka_unit_test(the_head_that_fits_never_splits_a_character),
		cmocka_unit_test(a_head_of_some_bytes_never_splits_a_character),
		cmocka_unit_test(what_a_terminal_would_act_upon_becomes_visible),
		cmocka_unit_test(a_nul_in_a_text_is_shown_and_does_not_end_it),
		cmocka_unit_test(a_message_shows_the_beginning_of_any_text),
	};

	return run_group(tests);
}
