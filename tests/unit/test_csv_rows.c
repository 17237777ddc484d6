/* Comma-separated text: rows, cells and lines are the same however the text comes in. */
#include <stdlib.h>

#include "base/memory/buf.h"
#include "dump/npu/csv_rows.h"
#include "tests/unit/check.h"

struct collection {
	struct csv_rows *rows;
	struct buf *out;
};

/* Appends "LINE:cell|cell|;" a row, "LINE:broken;" for one that is. */
static void put_row(void *ctx, const struct csv_row *row)
{
	struct collection *to = ctx;
	struct buf *out = to->out;

	buf_printf(out, "%llu:", (unsigned long long)csv_rows_line(to->rows));
	for (size_t i = 0; i < row->count && !row->broken && i < 64; i++)
		buf_printf(out, "%.*s|", STR_ARG(row->cells[i]));
	buf_add(out, row->broken ? STR("broken;") : STR(";"));
}

static bool split(struct str text, size_t chunk, bool library, const struct limits *limits, uint64_t keep,
	struct buf *ret, const char **ret_code)
{
	struct collection to = { .out = ret };
	struct csv_rows *rows = to.rows = csv_rows_new(limits, put_row, &to);
	bool inside;

	if (library)
		csv_rows_by_library(rows);

	csv_rows_keep(rows, keep);
	for (size_t at = 0; at < text.len; at += chunk) {
		size_t len = at + chunk < text.len ? chunk : text.len - at;
		char *copy = mem_resize(NULL, len, 1);

		memcpy(copy, text.ptr + at, len);
		csv_rows_feed(rows, (struct str){ copy, len });
		free(copy);
	}
	inside = csv_rows_end(rows);
	*ret_code = decoder_encoding(csv_rows_decoded(rows));
	csv_rows_free(rows);
	return inside;
}

static void assert_rows(
	struct str text, const struct limits *limits, uint64_t keep, const char *want, bool inside, const char *code)
{
	static const size_t chunks[] = { 1, 2, 3, 7, 4096, SIZE_MAX / 2 };

	for (size_t i = 0; i < ARRAY_SIZE(chunks) * 2; i++) {
		CLEANUP(buf_clear) struct buf rows = BUF_INIT(100000);
		const char *found;
		bool ended_inside = split(text, chunks[i / 2], i % 2, limits, keep, &rows, &found);

		if (strcmp(buf_text(&rows), want) != 0)
			fail_msg("%zu bytes at a time: %s, not %s", chunks[i / 2], buf_text(&rows), want);
		assert_int_equal(ended_inside, inside);
		assert_string_equal(found, code);
	}
}

static void rows_are_read_in_any_pieces(void **state)
{
	static const struct {
		const char *text, *rows;
		bool inside;
		const char *code;
	} cases[] = {
		{ "a,b\r\nc,d\r\n", "1:a|b|;2:c|d|;", false, "ascii" },
		{ "a,b\nc,d\n", "1:a|b|;2:c|d|;", false, "ascii" },
		{ "a,b\n\n\nc\n", "1:a|b|;4:c|;", false, "ascii" },
		{ "a,\"4,12;\r\n32\",x\r\nb,,\r\n", "1:a|4,12;\r\n32|x|;3:b|||;", false, "ascii" },
		{ "\"\"\"4,1\"\"\",y\n", "1:\"4,1\"|y|;", false, "ascii" },
		{ " a\t,1.5\t\n", "1:a|1.5|;", false, "ascii" },
		{ "a,b", "1:a|b|;", true, "ascii" },
		{ "a,\"b\n", "1:a|b\n|;", true, "ascii" },
		{ "a,b\r", "1:a|b|;", true, "ascii" },
		{ "\xe7\xae\x97\xe5\xad\x90,\xe5\xad\x90\n", "1:\xe7\xae\x97\xe5\xad\x90|\xe5\xad\x90|;", false,
			"utf-8" },
		{ "\xcb\xe3\xd7\xd3,x\n", "1:\xe7\xae\x97\xe5\xad\x90|x|;", false, "gb18030" },
		{ ",\n", "1:||;", false, "ascii" },
		{ "x\"y,z\n", "1:x\"y|z|;", false, "ascii" },
		{ "", "", false, "ascii" },
		{ " \t\n  a , \"b\" ,c\n\"\"\n", "2:a|b|c|;3:|;", false, "ascii" },
		{ "a\rb\r\n\rc\n", "1:a|;1:b|;2:c|;", false, "ascii" },
		{ "\"a\"\"b\",\"c\n\n\"\nd\n", "1:a\"b|c\n\n|;4:d|;", false, "ascii" },
		{ "\"a\"x,\"b\n\"y\nc\n", "1:a\"x,\"b\n\"y\nc\n|;", true, "ascii" },
	};
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_rows(
			str_from(cases[i].text), &limits, UINT64_MAX, cases[i].rows, cases[i].inside, cases[i].code);
}

static void columns_that_are_not_kept_are_empty(void **state)
{
	struct limits limits = limits_default();

	assert_rows(STR("a,\"b\n\",c\nd,e,f\n"), &limits, 5, "1:a||c|;3:d||f|;", false, "ascii");
	assert_rows(STR("a,\xff,c\n"), &limits, 5, "1:a||c|;", false, "ascii");
}

static void limits_break_rows_and_not_the_rest(void **state)
{
	struct limits limits = limits_default();
	CLEANUP(buf_clear) struct buf text = BUF_INIT(100000);

	limits.csv_columns = 3;
	limits.csv_cell_bytes = 256;
	buf_add(&text, STR("a,b,c,d\na,b,c\n"));
	for (size_t i = 0; i < 300; i++)
		buf_byte(&text, 'x');
	buf_add(&text, STR(",y\nd\n\"open"));
	for (size_t i = 0; i < 300; i++)
		buf_byte(&text, 'x');
	buf_add(&text, STR("\ne\n"));
	assert_rows(
		buf_str(&text), &limits, UINT64_MAX, "1:broken;2:a|b|c|;3:broken;4:d|;5:broken;6:e|;", false, "ascii");
}

static void cells_far_to_the_right_are_counted(void **state)
{
	struct limits limits = limits_default();
	CLEANUP(buf_clear) struct buf text = BUF_INIT(10000), want = BUF_INIT(10000);

	buf_add(&want, STR("1:"));
	for (size_t i = 0; i < 100; i++) {
		buf_printf(&text, "%zu%s", i, i < 99 ? "," : "\n");
		if (i < 64)
			buf_printf(&want, "%zu|", i);
	}
	buf_byte(&want, ';');
	assert_rows(buf_str(&text), &limits, UINT64_MAX, buf_text(&want), false, "ascii");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_read_in_any_pieces),
		cmocka_unit_test(columns_that_are_not_kept_are_empty),
		cmocka_unit_test(limits_break_rows_and_not_the_rest),
		cmocka_unit_test(cells_far_to_the_right_are_counted),
	};

	return run_group(tests);
}
