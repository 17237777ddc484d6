/* Lines of a log: where they end, in what encoding they are, and that chunks make no difference. */
#include <stdlib.h>

#include "base/value/utf8.h"
#include "dump/common/line.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

/* Splits text fed in chunks of a size; appends "NUMBER@OFFSET text|raw bytes flags;" a line. */
static struct line_facts split(struct str text, size_t chunk, const struct limits *limits, struct buf *ret)
{
	struct line_splitter *splitter = line_splitter_new(limits);
	struct line_facts facts;
	struct line line;

	for (size_t at = 0; at <= text.len; at += chunk) {
		/* a copy of its own, so that views of a chunk that is gone are found */
		size_t len = at + chunk < text.len ? chunk : text.len - at;
		char *copy = len ? mem_resize(NULL, len, 1) : NULL;

		if (len) {
			memcpy(copy, text.ptr + at, len);
			line_feed(splitter, (struct str){ copy, len });
		} else {
			line_end(splitter);
		}
		while (line_next(splitter, &line)) {
			buf_printf(ret, "%llu@%llu ", (unsigned long long)line.number, (unsigned long long)line.offset);
			buf_add(ret, line.text);
			buf_printf(ret, " %zu%s%s;", line.raw.len, line.ascii ? " ascii" : "", line.cut ? " cut" : "");
		}
		free(copy);
		if (at + chunk > text.len)
			break;
	}
	line_end(splitter);
	while (line_next(splitter, &line)) {
		buf_printf(ret, "%llu@%llu ", (unsigned long long)line.number, (unsigned long long)line.offset);
		buf_add(ret, line.text);
		buf_printf(ret, " %zu%s%s;", line.raw.len, line.ascii ? " ascii" : "", line.cut ? " cut" : "");
	}
	facts = *line_facts(splitter);
	line_splitter_free(splitter);
	return facts;
}

static void assert_lines(struct str text, const struct limits *limits, const char *want, struct line_facts *ret_facts)
{
	static const size_t chunks[] = { 1, 2, 3, 7, 4096 };

	for (size_t i = 0; i < ARRAY_SIZE(chunks); i++) {
		CLEANUP(buf_clear) struct buf lines = BUF_INIT(1 << 20);

		*ret_facts = split(text, chunks[i], limits, &lines);
		assert_str(buf_str(&lines), want);
	}
}

static void lines_end_at_lf_cr_and_both(void **state)
{
	static const struct {
		const char *text, *lines;
	} cases[] = {
		{ "", "" },
		{ "a", "1@0 a 1 ascii;" },
		{ "a\n", "1@0 a 1 ascii;" },
		{ "a\nb", "1@0 a 1 ascii;2@2 b 1 ascii;" },
		{ "a\r\nb\r\n", "1@0 a 1 ascii;2@3 b 1 ascii;" },
		/* states of a progress bar are lines without a number of their own */
		{ "a\rb\rc\n", "1@0 a 1 ascii;1@2 b 1 ascii;1@4 c 1 ascii;" },
		{ "\n\n", "1@0  0 ascii;2@1  0 ascii;" },
		{ "\r\n\r\n", "1@0  0 ascii;2@2  0 ascii;" },
		{ "a\n\rb", "1@0 a 1 ascii;2@2  0 ascii;2@3 b 1 ascii;" },
		{ "a\r\r\nb", "1@0 a 1 ascii;1@2  0 ascii;2@4 b 1 ascii;" },
	};
	struct limits limits = limits_default();
	struct line_facts facts;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_lines(str_from(cases[i].text), &limits, cases[i].lines, &facts);
}

static void colour_codes_are_taken_off(void **state)
{
	static const struct {
		const char *text, *lines;
	} cases[] = {
		{ "\x1b[31mred\x1b[0m x\n", "1@0 red x 14 ascii;" },
		{ "a\x1b[2Kb\x1b[1;32mc\n", "1@0 abc 14 ascii;" },
		{ "a\x1b\n", "1@0 a 2 ascii;" },
		{ "a\x1b[12\n", "1@0 a 5 ascii;" },
		{ "a\x1bPb\n", "1@0 aPb 4 ascii;" },
		{ "\x1b[31m\xe8\xae\xad\x1b[0m\n", "1@0 \xe8\xae\xad 12;" },
	};
	struct limits limits = limits_default();
	struct line_facts facts;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_lines(str_from(cases[i].text), &limits, cases[i].lines, &facts);
}

static void each_line_is_decoded_by_itself(void **state)
{
	static const struct {
		const char *text, *lines;
		uint64_t utf8, gb18030, latin1;
	} cases[] = {
		{ "\xe8\xae\xad\xe7\xbb\x83\n", "1@0 \xe8\xae\xad\xe7\xbb\x83 6;", 1, 0, 0 },
		{ "\xd1\xb5\xc1\xb7 step\n", "1@0 \xe8\xae\xad\xe7\xbb\x83 step 9;", 0, 1, 0 },
		{ "caf\xe9\n", "1@0 caf\xc3\xa9 4;", 0, 0, 1 },
		{ "\xff\xff\n", "1@0 \xc3\xbf\xc3\xbf 2;", 0, 0, 1 },
		{ "\xe8\xae\xad\n\xd1\xb5\xc1\xb7\ncaf\xe9\nx\n",
			"1@0 \xe8\xae\xad 3;2@4 \xe8\xae\xad\xe7\xbb\x83 4;3@9 caf\xc3\xa9 4;4@14 x 1 ascii;", 1, 1,
			1 },
		/* the second line is valid UTF-8 as well, but the program before it wrote GB18030 */
		{ "\xd1\xb5\xc1\xb7\n\xc2\xb7\xc2\xb7\n",
			"1@0 \xe8\xae\xad\xe7\xbb\x83 4;2@5 \xe8\xb7\xaf\xe8\xb7\xaf 4;", 0, 2, 0 },
	};
	struct limits limits = limits_default();
	struct line_facts facts;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_lines(str_from(cases[i].text), &limits, cases[i].lines, &facts);
		assert_int_equal(facts.decoded.utf8, cases[i].utf8);
		assert_int_equal(facts.decoded.gb18030, cases[i].gb18030);
		assert_int_equal(facts.decoded.latin1, cases[i].latin1);
	}
}

static void a_long_line_is_cut_and_counted(void **state)
{
	static const struct {
		const char *text, *lines;
		uint64_t cut;
	} cases[] = {
		{ "12345678\nb\n", "1@0 12345678 8 ascii;2@9 b 1 ascii;", 0 },
		{ "123456789\nb\n", "1@0 12345678 8 ascii cut;2@10 b 1 ascii;", 1 },
		{ "1234567890123456789\r\nb", "1@0 12345678 8 ascii cut;2@21 b 1 ascii;", 1 },
		{ "123456789", "1@0 12345678 8 ascii cut;", 1 },
		{ "12345678", "1@0 12345678 8 ascii;", 0 },
		/* the end never stands inside a character */
		{ "1234567\xe8\xae\xad\n", "1@0 1234567 7 ascii cut;", 1 },
		{ "123456\xe8\xae\xadx\n", "1@0 123456 6 ascii cut;", 1 },
		{ "12345\xe8\xae\xadx\n", "1@0 12345\xe8\xae\xad 8 cut;", 1 },
		{ "1234\xf0\x9f\x98\x80x\n", "1@0 1234\xf0\x9f\x98\x80 8 cut;", 1 },
		{ "12345\xf0\x9f\x98\x80x\n", "1@0 12345 5 ascii cut;", 1 },
	};
	struct limits limits = limits_default();
	struct line_facts facts;

	limits.line_bytes = 8;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_lines(str_from(cases[i].text), &limits, cases[i].lines, &facts);
		assert_int_equal(facts.long_lines, cases[i].cut);
		assert_int_equal(facts.decoded.latin1, 0);
		assert_int_equal(facts.decoded.gb18030, 0);
	}
}

static void any_bytes_become_the_same_valid_lines_in_every_cut(void **state)
{
	static const char bytes[] = "abcdefg \n\r\x1b[m\xe8\xae\xad\xd1\xb5\xff\x80\xc3\x30\x81";
	struct limits limits = limits_default();
	uint64_t seed = 23;

	limits.line_bytes = 16;
	for (unsigned round = 0; round < 3000; round++) {
		CLEANUP(buf_clear) struct buf whole = BUF_INIT(1 << 20), pieces = BUF_INIT(1 << 20);
		char text[60];
		size_t len = random_below(&seed, sizeof(text)), bad_at;

		for (size_t i = 0; i < len; i++)
			text[i] = bytes[random_below(&seed, random_below(&seed, 5) ? 8 : sizeof(bytes) - 1)];
		split((struct str){ text, len }, sizeof(text), &limits, &whole);
		split((struct str){ text, len }, 1 + random_below(&seed, 5), &limits, &pieces);
		assert_true(str_eq(buf_str(&whole), buf_str(&pieces)));
		assert_true(utf8_valid(buf_str(&whole), &bad_at));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_end_at_lf_cr_and_both),
		cmocka_unit_test(colour_codes_are_taken_off),
		cmocka_unit_test(each_line_is_decoded_by_itself),
		cmocka_unit_test(a_long_line_is_cut_and_counted),
		cmocka_unit_test(any_bytes_become_the_same_valid_lines_in_every_cut),
	};

	return run_group(tests);
}
