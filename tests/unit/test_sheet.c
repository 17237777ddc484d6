/* One table of a record in each format: what every kind of field becomes, and tables one behind the other. */
#include "record/kinds.h"
#include "report/doc/sheet.h"
#include "tests/unit/check.h"

struct row {
	struct str name, *items;
	size_t item_count;
	uint64_t calls;
	int64_t share_ppm, *sizes;
	size_t size_count;
	uint32_t line;
	bool given;
	unsigned word, flags;
};

static const struct str word_items[] = { STR("none"), STR("some"), STR("all") };
static const struct words words = { word_items, 3, 0 };

static const struct field fields[] = {
	{ "name", &kind_text, AT(row, name) },
	{ "calls", &kind_count, AT(row, calls) },
	{ "share", &kind_share, AT(row, share_ppm) },
	{ "line", &kind_index, AT(row, line) },
	{ "given", &kind_bool, AT(row, given) },
	{ "word", &kind_enum, AT(row, word), .words = &words },
	{ "flags", &kind_flags, AT(row, flags), .words = &words },
	{ "items", &kind_texts, AT(row, items), .count = AT(row, item_count) },
	{ "sizes", &kind_numbers, AT(row, sizes), .count = AT(row, size_count) },
	{ 0 },
};
static const struct record record = { sizeof(struct row), fields };
static const struct sheet_shape shape = { "report.title", &record, "rows",
	.widths = (const unsigned char[]){ 5, 3, 0, 0, 0, 0, 0, 4, 0 }, .capitals = true };
static const struct sheet_shape next_shape = { "report.targets", &record, "more",
	.widths = (const unsigned char[]){ 5, 0, 0, 0, 0, 0, 0, 0, 0 } };

static void put_as(const char *format, struct buf *out)
{
	struct str items[] = { STR("a"), STR("b, c") };
	int64_t sizes[] = { 4, -8 };
	const struct row rows[] = {
		{ STR("=plus"), items, 2, 7, 250000, sizes, 2, 3, true, 2, 5 },
		{ .name = STR("x | y") },
	};
	struct sheet sheet;

	sheet_begin(&sheet, &shape, str_from(format), &(struct render_options){ 0 }, out);
	sheet_rows(&sheet, rows, ARRAY_SIZE(rows));
	sheet_next(&sheet, &next_shape);
	sheet_row(&sheet, &rows[1]);
	sheet_end(&sheet);
}

static void every_format_has_the_fields(void **state)
{
	static const struct {
		const char *format, *text;
	} cases[] = {
		{ "csv", "name,calls,share,line,given,word,flags,items,sizes\r\n"
			 "'=plus,7,0.250000,3,true,all,none all,\"a b, c\",4 -8\r\n"
			 "x | y,0,0.000000,0,false,none,,,\r\n"
			 "\r\n"
			 "name,calls,share,line,given,word,flags,items,sizes\r\n"
			 "x | y,0,0.000000,0,false,none,,,\r\n" },
		{ "text", "NAME  CA… ITEMS\n"
			  "=plus 7   a b, c\n"
			  "x | y 0   \n"
			  "\n"
			  "Targets\n"
			  "name\n"
			  "x | y\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED;

		put_as(cases[i].format, &out);
		assert_string_equal(buf_text(&out), cases[i].text);
	}
}

static void json_is_lists_of_the_records(void **state)
{
	CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED;

	(void)state;
	put_as("json", &out);
	assert_non_null(strstr(buf_text(&out), "\"rows\": ["));
	assert_non_null(strstr(buf_text(&out), "{\"name\": \"=plus\", \"calls\": 7, \"share\": 0.250000, \"line\": 3, "
					       "\"given\": true, \"word\": \"all\", \"flags\": [\"none\", \"all\"], "
					       "\"items\": [\"a\", \"b, c\"], \"sizes\": [4, -8]}"));
	assert_non_null(strstr(buf_text(&out), "\"more\": ["));
}

static void documents_escape_and_have_every_column(void **state)
{
	CLEANUP(buf_clear) struct buf page = BUF_UNLIMITED, comment = BUF_UNLIMITED;

	(void)state;
	put_as("html", &page);
	assert_non_null(strstr(buf_text(&page), "<h1>"));
	assert_non_null(strstr(buf_text(&page), "<th scope=\"col\">sizes</th>"));
	assert_non_null(strstr(buf_text(&page), "<td>=plus</td><td>7</td><td>0.250000</td>"));
	put_as("md", &comment);
	assert_true(str_starts(buf_str(&comment), STR("| name | calls |")));
	assert_non_null(strstr(buf_text(&comment), "| x \\| y | 0 | 0.000000 | 0 | false | none |"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_has_the_fields),
		cmocka_unit_test(json_is_lists_of_the_records),
		cmocka_unit_test(documents_escape_and_have_every_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
