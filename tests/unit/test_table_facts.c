/* What a dump could not show is counted; and chunks make no difference to whole fixtures. */
#include "tests/unit/check.h"
#include "tests/unit/files.h"
#include "tests/unit/recorder.h"

#define DASHES "------------  ----------  ----------  ------------  \n"
#define HEADER "        Name  Self CPU %    Self CPU    # of Calls  \n"
#define HEAD DASHES HEADER DASHES

static struct dump_facts facts_of(struct str text, const struct limits *limits, int *ret_status, struct err *ret_err)
{
	CLEANUP(buf_clear) struct buf events = BUF_INIT(1 << 26);
	struct dump_facts facts;

	*ret_status = record_tables(text, 0, limits, &events, &facts, ret_err);
	return facts;
}

static void fixtures_read_alike_in_every_cut(void **state)
{
	static const char *const names[] = { "torch-1.13/transformer.a.log", "torch-2.13/compilemarks.a-full.log",
		"eras/1.0.log", "eras/1.2-cuda.log", "eras/1.13-source-flops.log", "eras/2.1-two-devices.log",
		"eras/2.9-overload.log", "eras/2.9-unit-s.log" };
	static const size_t chunks[] = { 1, 2, 3, 7, 4096 };
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		CLEANUP(buf_clear) struct buf path = BUF_INIT(1000), whole = BUF_INIT(1 << 26), text;
		struct dump_facts facts, same;
		struct err err = { 0 };

		buf_printf(&path, "tests/fixtures/%s", names[i]);
		text = source_text(buf_text(&path));
		assert_int_equal(record_tables(buf_str(&text), 0, &limits, &whole, &facts, &err), 0);
		assert_true(facts.tables > 0);
		for (size_t j = 0; j < ARRAY_SIZE(chunks); j++) {
			CLEANUP(buf_clear) struct buf pieces = BUF_INIT(1 << 26);

			assert_int_equal(record_tables(buf_str(&text), chunks[j], &limits, &pieces, &same, &err), 0);
			assert_true(str_eq(buf_str(&pieces), buf_str(&whole)));
			assert_memory_equal(&facts, &same, sizeof(facts));
		}
	}
}

/* Rows that share 100 % among them, but for so many millionths of the whole. */
static struct buf table_of(size_t rows, const char *share)
{
	struct buf text = BUF_INIT(1 << 24);

	buf_add(&text, STR(HEAD));
	for (size_t i = 0; i < rows; i++)
		buf_printf(&text, "   aten::add  %10s     3.000us             7  \n", share);
	buf_add(&text, STR(DASHES "Self CPU time total: 3.000ms\n"));
	return text;
}

static void a_table_that_row_limit_cut_is_known_by_its_rows_and_shares(void **state)
{
	static const struct {
		size_t rows;
		const char *share;
		uint64_t limited;
	} cases[] = {
		{ 100, "1.00%", 1 }, /* the default of row_limit, whatever the shares */
		{ 99, "1.01%", 0 },
		{ 10, "10.00%", 0 },
		{ 10, "9.90%", 0 },
		{ 10, "9.80%", 1 },
		{ 12, "8.20%", 0 },
		{ 12, "7.90%", 1 },
		{ 3, "NaN", 0 },
		{ 3, "0.00%", 0 },
	};
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf text = table_of(cases[i].rows, cases[i].share);
		struct dump_facts facts;
		struct err err = { 0 };
		int status;

		facts = facts_of(buf_str(&text), &limits, &status, &err);
		assert_int_equal(status, 0);
		assert_int_equal(facts.rows, cases[i].rows);
		if (facts.row_limit_tables != cases[i].limited)
			fail_msg("%zu rows of %s", cases[i].rows, cases[i].share);
	}
}

static void everything_that_is_odd_is_counted(void **state)
{
	static const char text[] = HEAD "   aten::add      50.00%     3.000us             7  \n"
					"Epoch 1\n"
					".\n" /* one byte is no cell of the row above */
					"   aten::mu   50.00%\n"
					"aten::cut...      50.00%     3.000us             7  \n" DASHES
					"This report only display top-level ops statistics\n" HEAD DASHES "x\n"
					"aten::t  12.5%  3.000us  12.5%  3.000us  1.000us  7\n";
	struct limits limits = limits_default();
	struct dump_facts facts;
	struct err err = { 0 };
	int status;

	facts = facts_of(str_from(text), &limits, &status, &err);
	assert_int_equal(status, 0);
	assert_int_equal(facts.tables, 3);
	assert_int_equal(facts.rows, 3);
	assert_int_equal(facts.skipped_lines, 3);
	assert_int_equal(facts.broken_rows, 1);
	assert_int_equal(facts.sample_count, 3);
	assert_int_equal(facts.samples[0].line, 5);
	assert_string_equal(facts.samples[0].beginning.text, "Epoch 1");
	assert_int_equal(facts.cut_names, 1);
	assert_int_equal(facts.top_level_tables, 1);
	assert_int_equal(facts.empty_tables, 1);
	assert_int_equal(facts.headless_tables, 1);
	assert_int_equal(facts.cut_tables, 1);
	assert_string_equal(facts.encoding, "ascii");
}

static void samples_are_few_and_printable(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;
	struct err err = { 0 };
	int status;

	buf_add(&text, STR(HEAD));
	for (int i = 0; i < 50; i++)
		buf_printf(&text, "line %d \x07 of another program\n", i);
	facts = facts_of(buf_str(&text), &limits, &status, &err);
	assert_int_equal(facts.skipped_lines, 50);
	assert_int_equal(facts.sample_count, MAX_SAMPLES);
	assert_string_equal(facts.samples[4].beginning.text, "line 4 \\x07 of another program");
}

static void streams_over_the_limit_are_read_as_one(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;
	struct err err = { 0 };
	int status;

	limits.streams = 2;
	for (int rank = 0; rank < 5; rank++)
		buf_printf(&text, "[rank%d]: " DASHES, rank);
	for (int rank = 0; rank < 2; rank++)
		buf_printf(&text, "[rank%d]: %s[rank%d]:    aten::add      50.00%%     3.000us             7  \n", rank,
			HEADER, rank);
	facts = facts_of(buf_str(&text), &limits, &status, &err);
	assert_int_equal(status, 0);
	assert_int_equal(facts.dropped_streams, 3);
	assert_int_equal(facts.tables, 2);
}

static void a_log_without_a_table_is_an_error_with_a_hint(void **state)
{
	static const char *const cases[] = { "", "Epoch 1\n", "[[1, 2]]\n", "Self CPU time total: 3.000us\n",
		"Name  Self CPU  # of Calls\n" };
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = { 0 };
		int status;

		facts_of(str_from(cases[i]), &limits, &status, &err);
		assert_int_equal(status, -ERR_NO_TABLE);
		assert_true(str_has(str_from(err.hint), STR("table(row_limit=-1)")));
	}
}

static void encodings_are_told(void **state)
{
	static const struct {
		const char *lines, *encoding;
	} cases[] = {
		{ "x\n", "ascii" },
		{ "\xe8\xae\xad\n", "utf-8" },
		{ "\xd1\xb5\xc1\xb7\n", "gb18030" },
		{ "caf\xe9\n", "latin-1" },
		{ "\xe8\xae\xad\n\xd1\xb5\xc1\xb7\n", "utf-8+gb18030" },
		{ "\xe8\xae\xad\ncaf\xe9\n", "utf-8+latin-1" },
	};
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = { 0 };
		int status;

		assert_string_equal(
			facts_of(str_from(cases[i].lines), &limits, &status, &err).encoding, cases[i].encoding);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixtures_read_alike_in_every_cut),
		cmocka_unit_test(a_table_that_row_limit_cut_is_known_by_its_rows_and_shares),
		cmocka_unit_test(everything_that_is_odd_is_counted),
		cmocka_unit_test(samples_are_few_and_printable),
		cmocka_unit_test(streams_over_the_limit_are_read_as_one),
		cmocka_unit_test(a_log_without_a_table_is_an_error_with_a_hint),
		cmocka_unit_test(encodings_are_told),
	};

	return run_group(tests);
}
