/* CSV: RFC 4180, and nothing that a spreadsheet would run. */
#include "report/csv.h"
#include "report/doc/csv_cell.h"
#include "tests/unit/check.h"
#include "tests/unit/results.h"

static void cells_are_quoted_and_formulas_are_text(void **state)
{
	static const struct {
		const char *text, *cell;
	} cases[] = {
		{ "", "" },
		{ "aten::add", "aten::add" },
		{ "a,b", "\"a,b\"" },
		{ "say \"x\"", "\"say \"\"x\"\"\"" },
		{ "=1+1", "'=1+1" },
		{ "+1", "'+1" },
		{ "-1", "'-1" },
		{ "@x", "'@x" },
		{ "\t=1", "'\\x09=1" },
		{ "\r=1", "'\\x0d=1" },
		{ "=HYPERLINK(\"http://x\",1)", "\"'=HYPERLINK(\"\"http://x\"\",1)\"" },
		{ "a\nb", "a\\x0ab" },
		{ "a=1", "a=1" },
		{ "\xe8\xae\xad\xff", "\xe8\xae\xad\xef\xbf\xbd" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1000);

		csv_put_text(&out, str_from(cases[i].text));
		assert_str(buf_str(&out), cases[i].cell);
	}
}

/* Takes the next record apart; returns how many cells it has. */
static size_t next_record(struct str *rest)
{
	size_t cells = 1, at = 0;
	bool quoted = false;

	for (; at < rest->len; at++) {
		if (rest->ptr[at] == '"')
			quoted = !quoted;
		cells += !quoted && rest->ptr[at] == ',';
		if (!quoted && rest->ptr[at] == '\n')
			break;
	}
	assert_false(quoted);
	assert_true(at > 0 && rest->ptr[at - 1] == '\r');
	*rest = str_skip(*rest, at + 1);
	return cells;
}

static void every_record_has_every_cell(void **state)
{
	struct result *results[] = { result_plain(), result_hostile() };

	for (size_t i = 0; i < ARRAY_SIZE(results); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 20);
		struct render_options options = { .lang = LANG_EN };
		struct str rest;
		size_t records = 0;

		render_csv(results[i], &options, &out);
		rest = buf_str(&out);
		for (; rest.len; records++)
			assert_int_equal(next_record(&rest), 21);
		assert_int_equal(records, 1 + results[i]->operator_count * results[i]->target_count);
		assert_false(str_has(buf_str(&out), STR("\x1b")));
		assert_false(str_has(buf_str(&out), STR("\n=")));
		assert_false(str_has(buf_str(&out), STR(",=")));
		result_free(results[i]);
	}
}

static void spreadsheets_may_get_a_mark(void **state)
{
	CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 20);
	struct render_options options = { .byte_order_mark = true };
	struct result *result = result_plain();

	render_csv(result, &options, &out);
	assert_true(str_starts(buf_str(&out), STR("\xef\xbb\xbfoperator,")));
	result_free(result);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_are_quoted_and_formulas_are_text),
		cmocka_unit_test(every_record_has_every_cell),
		cmocka_unit_test(spreadsheets_may_get_a_mark),
	};

	return run_group(tests);
}
