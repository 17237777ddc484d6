/* Files of the fact text: rows, spans, and the position of every error. */
#include "base/memory/buf.h"
#include "opdb/text/axis.h"
#include "opdb/text/tsv.h"
#include "tests/unit/check.h"

static int open_text(const char *text, struct tsv *tsv, struct err *err)
{
	return tsv_open(tsv, STR("torch/universe.tsv"), str_from(text), STR("op kind torch"), err);
}

static void rows_are_cells_and_a_dot_is_empty(void **state)
{
	struct err err = { 0 };
	struct tsv tsv;

	assert_int_equal(open_text("# op\tkind\ttorch\nadd\t.\t2.1.0 2.3.1\nadd.out\tout\t.\n", &tsv, &err), 0);
	assert_int_equal(tsv_next(&tsv, &err), 1);
	assert_str(tsv.cells[0], "add");
	assert_str(tsv.cells[1], "");
	assert_str(tsv.cells[2], "2.1.0 2.3.1");
	assert_int_equal(tsv.line, 2);
	assert_int_equal(tsv_next(&tsv, &err), 1);
	assert_str(tsv.cells[2], "");
	assert_int_equal(tsv_next(&tsv, &err), 0);
}

static void a_wrong_header_names_the_column(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "the last line does not end in a line feed" },
		{ "op\tkind\ttorch\n", "expected a comment that names the columns" },
		{ "# op\tkind\n", "column \"torch\" is missing" },
		{ "# op\tsort\ttorch\n", "unknown column \"sort\", expected \"kind\"" },
		{ "# op\tkind\ttorch\tmore\n", "unknown column \"more\" at the end" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = { 0 };
		struct tsv tsv;

		assert_int_equal(open_text(cases[i].text, &tsv, &err), -ERR_FACT);
		assert_string_equal(err.text, cases[i].message);
		assert_string_equal(err.where, "torch/universe.tsv:1");
	}
}

static void a_bad_row_is_named_by_its_line(void **state)
{
	static const struct {
		const char *row, *message;
	} cases[] = {
		{ "add\tout\n", "expected 3 columns, found 2" },
		{ "add\tout\t2.1.0\t1\n", "expected 3 columns, found 4" },
		{ "\n", "column 1 is empty or padded; an empty cell is written \".\"" },
		{ "add\t\t2.1.0\n", "column 2 is empty or padded; an empty cell is written \".\"" },
		{ "add\tout\t2.1.0 \n", "column 3 is empty or padded; an empty cell is written \".\"" },
		{ "add\tout\t2.1.0\r\n", "byte 14 is a control character" },
		{ "add\tou\033[2J\t2.1.0\n", "byte 7 is a control character" },
		{ "add\t\xff\t2.1.0\n", "byte 5 is not UTF-8" },
		{ "add\tout\t2.1.0", "the last line does not end in a line feed" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(1000);
		struct err err = { 0 };
		struct tsv tsv;

		buf_printf(&text, "# op\tkind\ttorch\nabs\tfunctional\t2.1.0\n%s", cases[i].row);
		assert_int_equal(open_text(buf_text(&text), &tsv, &err), 0);
		assert_int_equal(tsv_next(&tsv, &err), 1);
		assert_int_equal(tsv_next(&tsv, &err), -ERR_FACT);
		assert_string_equal(err.text, cases[i].message);
		assert_string_equal(err.where, "torch/universe.tsv:3");
	}
}

static void spans_are_places_on_an_axis(void **state)
{
	static const char *const names[] = { "1.8.1", "1.11.0", "2.0.0", "2.0.1", "2.10.0" };
	struct axis axis = { 0 };
	struct str rest = STR("1.8.1..2.0.0 2.10.0"), name;
	struct span span;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_true(axis_add(&axis, str_from(names[i])));
	assert_false(axis_add(&axis, STR("2.0.0")));
	assert_int_equal(axis_span(&axis, &rest, &span, &name), SPAN_OK);
	assert_int_equal(span.first, 0);
	assert_int_equal(span.last, 2);
	assert_int_equal(axis_span(&axis, &rest, &span, &name), SPAN_OK);
	assert_int_equal(span.first, 4);
	assert_int_equal(span.last, 4);
	assert_int_equal(axis_span(&axis, &rest, &span, &name), SPAN_END);
	axis_clear(&axis);
}

static void a_span_that_is_none_leaves_the_places_alone(void **state)
{
	static const struct {
		const char *text;
		enum span_result result;
		const char *name;
	} cases[] = {
		{ "", SPAN_UNKNOWN, "" },
		{ "2.0", SPAN_UNKNOWN, "2.0" },
		{ "1.8.1..", SPAN_UNKNOWN, "" },
		{ "1.8.1..2.0", SPAN_UNKNOWN, "2.0" },
		{ "..1.8.1", SPAN_UNKNOWN, "" },
		{ "1.8.1 ", SPAN_OK, "1.8.1" },
		{ "1.8.1...2.0.0", SPAN_UNKNOWN, ".2.0.0" },
	};
	struct axis axis = { 0 };

	assert_true(axis_add(&axis, STR("1.8.1")));
	assert_true(axis_add(&axis, STR("2.0.0")));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct str rest = str_from(cases[i].text), name;
		struct span span = { 7, 7 };

		assert_int_equal(axis_span(&axis, &rest, &span, &name), cases[i].result);
		assert_str(name, cases[i].name);
		if (cases[i].result == SPAN_UNKNOWN)
			assert_int_equal(span.first, 7);
	}
	axis_clear(&axis);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_cells_and_a_dot_is_empty),
		cmocka_unit_test(a_wrong_header_names_the_column),
		cmocka_unit_test(a_bad_row_is_named_by_its_line),
		cmocka_unit_test(spans_are_places_on_an_axis),
		cmocka_unit_test(a_span_that_is_none_leaves_the_places_alone),
	};

	return run_group(tests);
}
