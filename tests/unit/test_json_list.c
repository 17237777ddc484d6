/* Operator lists in JSON. */
#include "dump/common/format.h"
#include "tests/unit/check.h"
#include "tests/unit/recorder.h"

static int read_list(const char *text, size_t chunk, const struct limits *limits, struct buf *events,
	struct dump_facts *facts, struct err *err)
{
	*err = (struct err){ 0 };
	return record_dump(&dump_json_list, str_from(text), chunk, limits, events, facts, err);
}

static void every_form_is_read(void **state)
{
	static const struct {
		const char *text, *rows;
		bool shapes;
	} cases[] = {
		{ "[\"aten::add\", \"aten::mm\"]",
			"row 0 aten::add|?| 1 0.000 0.000 0.000\nrow 0 aten::mm|?| 1 0.000 0.000 0.000\n" },
		{ "{\"aten::add\": 7, \"aten::mm\": 0}",
			"row 0 aten::add|?| 7 0.000 0.000 0.000\nrow 0 aten::mm|?| 0 0.000 0.000 0.000\n" },
		{ "{\"ops\": [\"aten::add\"]}", "row 0 aten::add|?| 1 0.000 0.000 0.000\n" },
		{ " {\"operators\": [{\"name\": \"aten::mm\", \"calls\": 3, \"shapes\": [[2,3],[]]}]}\n",
			"row 0 aten::mm|?|[[2, 3], []] 3 0.000 0.000 0.000\n", true },
		{ "[{\"op\": \"aten::mm\", \"count\": 2, \"shapes\": \"[[2, 3]]\", \"more\": {}}]",
			"row 0 aten::mm|?|[[2, 3]] 2 0.000 0.000 0.000\n", true },
	};
	static const size_t chunks[] = { 1, 2, 3, 7, 4096 };
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_true(dump_json_list.sniff(str_from(cases[i].text)) > 1);
		for (size_t j = 0; j < ARRAY_SIZE(chunks); j++) {
			CLEANUP(buf_clear) struct buf events = BUF_INIT(10000), want = BUF_INIT(10000);
			struct dump_facts facts;
			struct err err;

			buf_printf(&want, "stream 0 \"\"\nbegin 0 shapes no-steps\n%send 0 - - -1%s\n", cases[i].rows,
				cases[i].shapes ? "" : " no-shapes");
			assert_int_equal(read_list(cases[i].text, chunks[j], &limits, &events, &facts, &err), 0);
			assert_str(buf_str(&events), buf_text(&want));
			assert_int_equal(facts.skipped_rows, 0);
		}
	}
}

static void what_is_no_entry_is_skipped(void **state)
{
	CLEANUP(buf_clear) struct buf events = BUF_INIT(10000);
	struct limits limits = limits_default();
	struct dump_facts facts;
	struct err err;

	assert_int_equal(
		read_list("[\"aten::add\", 7, \"\", [], {\"name\": 3}, {\"name\": \"aten::a\", \"calls\": -1},"
			  "{\"name\": \"aten::b\", \"calls\": 1.5}, {\"name\": \"aten::c\", \"shapes\": \"x\"}]",
			0, &limits, &events, &facts, &err),
		0);
	assert_int_equal(facts.rows, 1);
	assert_int_equal(facts.skipped_rows, 7);
}

static void damage_and_size_are_errors(void **state)
{
	static const char *const texts[] = { "[\"aten::add\"", "[\"aten::add\"] x", "[\"aten::add\",,]" };
	CLEANUP(buf_clear) struct buf events = BUF_INIT(10000);
	struct limits limits = limits_default();
	struct dump_facts facts;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_int_equal(read_list(texts[i], 0, &limits, &events, &facts, &err), -ERR_FORMAT);
		assert_true(str_starts(str_from(err.where), STR("byte ")) && err.hint[0]);
	}
	limits.list_bytes = 8;
	assert_int_equal(read_list("[\"aten::add\"]", 0, &limits, &events, &facts, &err), -ERR_LIMIT);
}

static void other_json_is_left_to_others(void **state)
{
	static const char *const texts[] = { "", "[]", "{}", "[1, 2]", "[\"Berlin\"]", "{\"city\": \"aten::add\"}",
		"{\"traceEvents\": [{\"name\": \"aten::add\"}]}", "[{\"name\": \"aten::add\", \"ph\": \"X\"}]",
		"{\"schema_version\": \"1\", \"operators\": [{\"name\": \"aten::add\"}]}", "[rank0] \"aten::add\" \n" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_int_equal(dump_json_list.sniff(str_from(texts[i])), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_is_read),
		cmocka_unit_test(what_is_no_entry_is_skipped),
		cmocka_unit_test(damage_and_size_are_errors),
		cmocka_unit_test(other_json_is_left_to_others),
	};

	return run_group(tests);
}
