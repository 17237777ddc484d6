/* Every reader that is fed: the same from pieces of any size, and every beginning of a JSON document is an error or called cut. */
#include <stdio.h>

#include "dump/common/format.h"
#include "tests/unit/files.h"
#include "tests/unit/recorder.h"

static const struct dump_format *const readers[] = { &dump_csv, &dump_et, &dump_json_list, &dump_notebook, &dump_oplist,
	&dump_table, &dump_trace };

static const struct sample {
	const struct dump_format *reader;
	const char *file;
	bool is_json;
} samples[] = {
	{ &dump_table, "eras/1.0.log" },
	{ &dump_table, "eras/1.13-source-flops.log" },
	{ &dump_table, "eras/2.1-two-devices.log" },
	{ &dump_table, "eras/2.9-overload.log" },
	{ &dump_table, "torch-2.13/compilemarks.a-full.log" },
	{ &dump_notebook, "other/tables.ipynb", true },
	{ &dump_trace, "traces/compilemarks.c.trace.json.gz", true },
	{ &dump_trace, "traces/kineto-1.8.pt.trace.json.gz", true },
	{ &dump_trace, "traces/kineto-2.6.pt.trace.json.gz", true },
	{ &dump_trace, "traces/lastbatch.c-broken.trace.json.gz", true },
	{ &dump_trace, "traces/lastbatch.c-legacy.trace.json.gz", true },
	{ &dump_trace, "traces/lastbatch.c-python.trace.json.gz", true },
	{ &dump_et, "traces/compilemarks.et.json.gz", true },
	{ &dump_et, "traces/execution_graph.json.gz", true },
	{ &dump_csv, "other/operator_details.csv" },
	{ &dump_csv, "other/kernel_details.csv" },
	{ &dump_csv, "other/op_statistic.csv" },
	{ &dump_csv, "other/api_statistic.csv" },
	{ &dump_csv, "other/step_trace_time.csv" },
	{ &dump_csv, "other/operator_memory.csv" },
	{ &dump_csv, "other/operators.csv" },
	{ &dump_oplist, "other/operators.txt" },
	{ &dump_json_list, "other/operators.json", true },
};

/* The text of a fixture, unpacked. */
static void read_fixture(const char *file, struct buf *ret)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(4096), place = BUF_INIT(4096);
	struct limits limits = limits_default();
	struct source *source;
	struct str chunk;
	struct err err;

	buf_printf(&place, "tests/fixtures/%s", file);
	source_path(&path, buf_text(&place));
	if (source_open(buf_text(&path), &limits, &source, &err))
		fail_msg("%s", err.text);
	while (source_next(source, &chunk, &err) == 1)
		buf_add(ret, chunk);
	source_close(source);
}

static void put_facts(struct buf *ret, const struct dump_facts *facts, int status, const struct err *err)
{
	buf_printf(ret,
		"%d %s %s: %llu tables, %llu rows, %llu + %llu skipped, cut at %llu, %llu + %llu tasks, %llu unplaced",
		status, status ? err->where : "", status ? err->text : "", (unsigned long long)facts->tables,
		(unsigned long long)facts->rows, (unsigned long long)facts->skipped_lines,
		(unsigned long long)facts->skipped_events, (unsigned long long)facts->cut_at,
		(unsigned long long)facts->device_tasks, (unsigned long long)facts->aicpu_calls,
		(unsigned long long)facts->unplaced_calls);
	for (unsigned i = 0; i < facts->sample_count; i++)
		buf_printf(ret, "\n%llu %llu %s", (unsigned long long)facts->samples[i].line,
			(unsigned long long)facts->samples[i].offset, facts->samples[i].beginning.text);
}

/* Everything a reader tells, in pieces of a size; 0: whole. */
static void tell_all(const struct sample *sample, struct str text, size_t piece, struct buf *ret)
{
	struct limits limits = limits_default();
	struct dump_facts facts;
	struct err err = { 0 };
	int status = record_dump(sample->reader, text, piece, &limits, ret, &facts, &err);

	put_facts(ret, &facts, status, &err);
}

static void pieces_of_any_size_say_the_same(void **state)
{
	static const size_t pieces[] = { 1, 2, 3, 7, 4096 };

	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 24), whole = BUF_INIT(1 << 26);

		read_fixture(samples[i].file, &text);
		tell_all(&samples[i], buf_str(&text), 0, &whole);
		for (size_t j = 0; j < ARRAY_SIZE(pieces); j++) {
			CLEANUP(buf_clear) struct buf same = BUF_INIT(1 << 26);

			tell_all(&samples[i], buf_str(&text), pieces[j], &same);
			if (!str_eq(buf_str(&same), buf_str(&whole)))
				fail_msg("%s is read otherwise in pieces of %zu", samples[i].file, pieces[j]);
		}
	}
}

static void each_is_taken_by_its_own_reader(void **state)
{
	unsigned taken[ARRAY_SIZE(readers)] = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 24);
		int best = 0;
		size_t at = 0;

		read_fixture(samples[i].file, &text);
		for (size_t j = 0; j < ARRAY_SIZE(readers); j++) {
			int score = readers[j]->sniff(str_sub(buf_str(&text), 0, text.len < 65536 ? text.len : 65536));

			at = score > best ? j : at;
			best = score > best ? score : best;
		}
		if (readers[at] != samples[i].reader)
			fail_msg("%s is taken for %s", samples[i].file, readers[at]->name);
		taken[at]++;
	}
	for (size_t i = 0; i < ARRAY_SIZE(readers); i++)
		assert_true(taken[i] > 0);
}

static void hold_beginning(const struct sample *sample, struct str text)
{
	CLEANUP(buf_clear) struct buf events = BUF_INIT(1 << 26);
	struct limits limits = limits_default();
	struct dump_facts facts;
	struct err err = { 0 };
	int status = record_dump(sample->reader, text, 0, &limits, &events, &facts, &err);

	if (status ? !err.text[0] || (!err.where[0] && !facts.cut_at) : !facts.cut_at || facts.cut_at > text.len + 1)
		fail_msg("the first %zu bytes of %s: %d %s, cut at %llu", text.len, sample->file, status, err.text,
			(unsigned long long)facts.cut_at);
}

static void every_beginning_of_a_document_is_an_error_or_cut(void **state)
{
	enum { ENDS = 150, BETWEEN = 150 };

	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 24);
		size_t len = 0, whole;

		if (!samples[i].is_json)
			continue;
		read_fixture(samples[i].file, &text);
		whole = str_trim(buf_str(&text)).len;
		/* all near both ends, some in between; the last byte that is no blank closes the document */
		while (len < whole) {
			hold_beginning(&samples[i], str_sub(buf_str(&text), 0, len));
			len += len < ENDS || len + ENDS >= whole || whole < 4 * ENDS ? 1
										     : (whole - 2 * ENDS) / BETWEEN + 1;
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_of_any_size_say_the_same),
		cmocka_unit_test(each_is_taken_by_its_own_reader),
		cmocka_unit_test(every_beginning_of_a_document_is_an_error_or_cut),
	};

	return run_group(tests);
}
