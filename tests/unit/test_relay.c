/* What is read in a thread of its own arrives as if it were not. */
#include "base/setup/limits.h"
#include "dump/common/format.h"
#include "tests/unit/files.h"
#include "tests/unit/recorder.h"

enum { MEBI = 1 << 20 };

/* A log larger than any chunk: tables of several streams, with and without overloads, times and an end, and long names. */
static struct buf large_log(void)
{
	static const char *const files[] = { "torch-2.13/lastbatch.a-full.log", "eras/2.9-overload.log", "eras/1.0.log",
		"torch-1.13/transformer.a.log" };
	struct buf log = BUF_INIT(16 * MEBI);

	for (int i = 0; log.len < 3 * MEBI; i++) {
		CLEANUP(buf_clear) struct buf path = BUF_INIT(1000);

		buf_printf(&path, "tests/fixtures/%s", files[i % (int)ARRAY_SIZE(files)]);
		CLEANUP(buf_clear) struct buf text = source_text(buf_text(&path));
		struct str rest = buf_str(&text), line;

		while (str_cut(&rest, '\n', &line))
			buf_printf(&log, i % 3 ? "[rank%d]: %.*s\n" : "%.0d%.*s\n", i % 3, STR_ARG(line));
	}
	return log;
}

static void hold_both(const struct dump_format *format, struct str log, const struct limits *limits)
{
	CLEANUP(buf_clear) struct buf here = BUF_INIT(64 * MEBI), there = BUF_INIT(64 * MEBI);
	struct dump_facts here_facts, there_facts;
	struct scratch scratch;
	struct err err = { 0 };

	scratch_make(&scratch);
	file_write(scratch_path(&scratch, "dump.log"), log);
	assert_int_equal(record_dump(format, log, 0, limits, &here, &here_facts, &err), 0);
	assert_int_equal(record_file(scratch.path, limits, &there, &there_facts, &err), 0);
	assert_true(here.len > log.len / 10);
	assert_true(str_eq(buf_str(&here), buf_str(&there)));
	assert_int_equal(here_facts.tables, there_facts.tables);
	assert_int_equal(here_facts.rows, there_facts.rows);
	scratch_remove(&scratch);
}

static void all_events_arrive_in_their_order(void **state)
{
	CLEANUP(buf_clear) struct buf log = large_log();
	struct limits limits = limits_default();

	hold_both(&dump_table, buf_str(&log), &limits);
}

/* One row with shapes of 300 KB, more than a batch takes, among ordinary ones. */
static void texts_longer_than_a_batch_arrive_whole(void **state)
{
	CLEANUP(buf_clear) struct buf log = large_log();
	struct limits limits = limits_default();

	for (int i = 0; i < 20; i++) {
		buf_printf(&log, "\n---------  ---------  ----------  ----------\n"
				 "     Name   Self CPU  # of Calls  Input Shapes\n---------  ---------  ----------  "
				 "----------\n");
		buf_printf(&log, "aten::mul    1.000us           1  [[2]]\naten::add    1.000us           1  [");
		for (int j = 0; j < 50000; j++)
			buf_printf(&log, j ? ", [%d]" : "[%d]", j % 100);
		buf_printf(&log, "]\naten::sub    1.000us           1  [[3]]\n");
	}
	hold_both(&dump_table, buf_str(&log), &limits);
}

/* A trace: its links and its order follow the rows, more of each than a batch holds. */
static void links_and_order_arrive(void **state)
{
	CLEANUP(buf_clear) struct buf trace = BUF_INIT(16 * MEBI);
	struct limits limits = limits_default();

	buf_add(&trace, STR("{\"schemaVersion\": 1, \"traceEvents\": ["));
	for (int i = 0; trace.len < 2 * MEBI; i++)
		buf_printf(&trace,
			"%s{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::op%d\", \"pid\": 1, \"tid\": 1, "
			"\"ts\": %d, "
			"\"dur\": %d, \"args\": {\"Input Dims\": [[%d]]}}",
			i ? "," : "", i % 900, i * 10, 15 - i % 2 * 12, i % 7);
	buf_add(&trace, STR("]}"));
	hold_both(&dump_trace, buf_str(&trace), &limits);
}

static void an_error_of_the_reader_is_returned(void **state)
{
	CLEANUP(buf_clear) struct buf log = BUF_INIT(16 * MEBI), events = BUF_INIT(MEBI);
	struct limits limits = limits_default();
	struct dump_facts facts;
	struct scratch scratch;
	struct err err = { 0 };

	while (log.len < 2 * MEBI)
		buf_add(&log, STR("nothing but other output\n"));
	scratch_make(&scratch);
	file_write(scratch_path(&scratch, "dump.log"), buf_str(&log));
	assert_int_equal(record_file(scratch.path, &limits, &events, &facts, &err), -ERR_NO_TABLE);
	limits.input_bytes = MEBI;
	assert_int_equal(record_file(scratch.path, &limits, &events, &facts, &err), -ERR_LIMIT);
	assert_int_equal(events.len, 0);
	scratch_remove(&scratch);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_events_arrive_in_their_order),
		cmocka_unit_test(texts_longer_than_a_batch_arrive_whole),
		cmocka_unit_test(links_and_order_arrive),
		cmocka_unit_test(an_error_of_the_reader_is_returned),
	};

	return run_group(tests);
}
