/* The tables of torch_npu's profiler: what each says, and what damage does. */
#include "dump/common/format.h"
#include "tests/unit/check.h"
#include "tests/unit/recorder.h"

#define OPERATORS                                                                                                      \
	"Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us)\r\n"

static int read_csv(struct str text, size_t chunk, struct buf *ret, struct dump_facts *facts, struct err *err)
{
	struct limits limits = limits_default();

	*err = (struct err){ 0 };
	return record_dump(&dump_csv, text, chunk, &limits, ret, facts, err);
}

static void every_table_is_read(void **state)
{
	static const struct {
		const char *text, *events, *format;
	} cases[] = {
		{ OPERATORS "aten::mm,\"4,12;\r\n12,8;\r\n\",\"a.py(1): f;\r\nb\",3.5,9.25,1.5\t\r\n"
			    "aten::add,,,1e-05,N/A,\r\n",
			"stream 0 \"\"\nbegin 0 shapes times device no-steps\n"
			"row 0 aten::mm|?|[[4, 12], [12, 8], []] 1 3.500 9.250 1.500\n"
			"row 0 aten::add|?| 1 0.000 0.000 0.000\nend 0 - - -1\n",
			"npu-operator-details" },
		{ OPERATORS "aten::mm,,,1,2,3\r\n",
			"stream 0 \"\"\nbegin 0 shapes times device no-steps\nrow 0 aten::mm|?| 1 1.000 2.000 3.000\n"
			"end 0 - - -1 no-shapes\n",
			"npu-operator-details" },
		{ "Step Id,Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us),Input Shapes\n"
		  "1,aclnnMm_x,MatMulV2,dynamic,AI_CORE,1704161511420436.491\t,8.5,\"\"\"96,48;48,32\"\"\"\n"
		  ",aclnnNonzero_x,NonZero,N/A,AI_CPU,1,2.25,N/A\n",
			"stream 0 \"\"\nbegin 0 device device-tasks\nrow 0 MatMulV2|?| 1 0.000 0.000 8.500\n"
			"row 0 NonZero|?| 1 0.000 0.000 2.250\nend 0 - - -1 no-shapes\n",
			"npu-kernel-details" },
		{ "Op Name,OP Type,Task Type,Task Start Time(us),Task Duration(us)\nx,Cast,AI_VECTOR_CORE,1,2\n",
			"stream 0 \"\"\nbegin 0 device device-tasks\nrow 0 Cast|?| 1 0.000 0.000 2.000\nend 0 - - -1 "
			"no-shapes\n",
			"npu-op-summary" },
		{ "OP Type,Core Type,Count,Total Time(us)\nNonZero,AI_CPU,2,50.0\n",
			"stream 0 \"\"\nbegin 0 device device-tasks\nrow 0 NonZero|?| 2 0.000 0.000 50.000\n"
			"end 0 - - -1 no-shapes\n",
			"npu-op-statistic" },
		{ "Level,API Name,Time(us),Count\nacl,aclnnMm,37.77,4\n",
			"stream 0 \"\"\nbegin 0 times host-calls\nrow 0 aclnnMm|?| 4 37.770 0.000 0.000\nend 0 - - -1 "
			"no-shapes\n",
			"npu-api-statistic" },
		{ "Device_id,Step,Computing,Free\n0,7,1,2\n0,,1,2\n0,8,1,2\n",
			"stream 0 \"\"\nbegin 0 host-calls\nrow 0 ProfilerStep#7|?| 1 0.000 0.000 0.000\nend 0 - - -1 "
			"no-shapes\n"
			"begin 0 host-calls\nrow 0 ProfilerStep#8|?| 1 0.000 0.000 0.000\nend 0 - - -1 no-shapes\n",
			"npu-step-trace-time" },
		{ "Timestamp,Node,Compute_time(ms)\n1,Index,1.5\n",
			"stream 0 \"\"\nbegin 0 device device-tasks\nrow 0 Index|?| 1 0.000 0.000 1500.000\n"
			"end 0 - - -1 no-shapes\n",
			"npu-data-preprocess" },
		{ "op,calls,shapes\naten::mm,3,\"[[2,3],[3,4]]\"\naten::add,1,\"2;2\"\n",
			"stream 0 \"\"\nbegin 0 shapes no-steps\nrow 0 aten::mm|?|[[2, 3], [3, 4]] 3 0.000 0.000 "
			"0.000\n"
			"row 0 aten::add|?|[[2], [2]] 1 0.000 0.000 0.000\nend 0 - - -1\n",
			"list-csv" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		static const size_t chunks[] = { 1, 2, 3, 7, 4096 };

		assert_int_equal(dump_csv.sniff(str_from(cases[i].text)), 100);
		for (size_t j = 0; j < ARRAY_SIZE(chunks); j++) {
			CLEANUP(buf_clear) struct buf events = BUF_INIT(10000);
			struct dump_facts facts;
			struct err err;

			assert_int_equal(read_csv(str_from(cases[i].text), chunks[j], &events, &facts, &err), 0);
			assert_str(buf_str(&events), cases[i].events);
			assert_string_equal(facts.format, cases[i].format);
			assert_int_equal(facts.skipped_lines, 0);
			assert_int_equal(facts.cut_tables, 0);
		}
	}
}

static void tasks_of_the_ai_cpu_are_counted(void **state)
{
	CLEANUP(buf_clear) struct buf events = BUF_INIT(10000);
	struct dump_facts facts;
	struct err err;

	assert_int_equal(read_csv(STR("OP Type,Core Type,Count,Total Time(us)\nMatMul,AI_CORE,5,1\nNonZero,AI_CPU,2,1\n"
				      "Index,AI_CPU,1,1\nNonZero,AI_CPU,3,1\n"),
				 0, &events, &facts, &err),
		0);
	assert_int_equal(facts.device_tasks, 11);
	assert_int_equal(facts.aicpu_calls, 6);
	assert_int_equal(facts.aicpu_type_count, 2);
	assert_string_equal(facts.aicpu_types[0].text, "NonZero");
	assert_string_equal(facts.aicpu_types[1].text, "Index");
}

static void damaged_rows_are_skipped_and_told(void **state)
{
	CLEANUP(buf_clear) struct buf events = BUF_INIT(10000);
	struct dump_facts facts;
	struct err err;

	assert_int_equal(read_csv(STR(OPERATORS "aten::a,,,1,1,1\r\naten::b,,,1,1\r\naten::c,,,1,1,1,1\r\n"
						"aten::d,\"1;\r\n2\",,x,1,1\r\naten::e,1x,,1,1,1\r\n,,,1,1,1\r\n"
						"aten::f,,,1.5,--,1\r\naten::g,,,1,1,1\r\n"),
				 0, &events, &facts, &err),
		0);
	assert_int_equal(facts.rows, 2);
	assert_int_equal(facts.skipped_lines, 6);
	assert_int_equal(facts.skipped_rows, 6);
	assert_int_equal(facts.sample_count, 5);
	assert_int_equal(facts.samples[0].line, 3);
	assert_int_equal(facts.samples[1].line, 4);
	assert_int_equal(facts.samples[2].line, 5);
	assert_int_equal(facts.samples[3].line, 7);
	assert_string_equal(facts.samples[0].beginning.text, "aten::b,,,1,1");
}

static void a_header_without_what_is_needed_says_so(void **state)
{
	CLEANUP(buf_clear) struct buf events = BUF_INIT(10000);
	struct dump_facts facts;
	struct err err;

	assert_int_equal(dump_csv.sniff(STR("\nInput Shapes,Host Self Duration(us)\n")), 60);
	assert_int_equal(
		read_csv(STR("\nInput Shapes,Host Self Duration(us)\n1,2\n"), 0, &events, &facts, &err), -ERR_FORMAT);
	assert_string_equal(err.text, "the header of operator_details.csv lacks the column \"Name\"");
	assert_string_equal(err.where, "line 2");
	assert_true(strlen(err.hint) > 0);
}

static void a_table_without_a_good_row_is_an_error(void **state)
{
	CLEANUP(buf_clear) struct buf events = BUF_INIT(10000);
	struct dump_facts facts;
	struct err err;

	assert_int_equal(
		read_csv(STR(OPERATORS "aten::a,,,1\r\naten::b,,,1\r\n"), 0, &events, &facts, &err), -ERR_FORMAT);
	assert_string_equal(err.where, "line 2");
	assert_true(strlen(err.hint) > 0);
}

/* A prefix is an error or cut, unless it ends with a whole row: then nothing in it tells. */
static void every_prefix_is_an_error_or_cut(void **state)
{
	struct str text = STR(
		OPERATORS "aten::mm,\"4,12;\r\n12,8;\r\n\",\"a.py(1): f;\r\nb\",3.5,9.25,1.5\r\naten::add,,,1,2,3\r\n");
	size_t whole[] = { sizeof(OPERATORS) - 1, str_find(text, STR("aten::add")), text.len };

	for (size_t len = 0; len <= text.len; len++) {
		CLEANUP(buf_clear) struct buf events = BUF_INIT(10000);
		struct str head = str_sub(text, 0, len);
		struct dump_facts facts;
		struct err err;

		if (dump_csv.sniff(head) != 100)
			continue; /* no kind of table, or one that lacks a column: refused */
		if (read_csv(head, 0, &events, &facts, &err))
			fail_msg("%zu bytes: %s", len, err.text);
		assert_int_equal(facts.cut_tables, len != whole[0] && len != whole[1] && len != whole[2]);
		assert_int_equal(facts.skipped_lines, 0);
	}
}

static void other_text_is_left_to_others(void **state)
{
	static const char *const texts[] = { "", "city,people\nBerlin,3\n", "name,count\nBerlin,3\n",
		"name,age\naten,3\n", "just a text\n", "Name  Self CPU  # of Calls\naten::add  3.000us  7\n",
		"{\"a\": [1, 2]}\n" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_int_equal(dump_csv.sniff(str_from(texts[i])), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_table_is_read),
		cmocka_unit_test(tasks_of_the_ai_cpu_are_counted),
		cmocka_unit_test(damaged_rows_are_skipped_and_told),
		cmocka_unit_test(a_header_without_what_is_needed_says_so),
		cmocka_unit_test(a_table_without_a_good_row_is_an_error),
		cmocka_unit_test(every_prefix_is_an_error_or_cut),
		cmocka_unit_test(other_text_is_left_to_others),
	};

	return run_group(tests);
}
