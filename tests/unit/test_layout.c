/* Lines of dashes and headers of every version that FORMATS 1.2 lists. */
#include "base/memory/buf.h"
#include "dump/table/layout.h"
#include "tests/unit/check.h"

#define CPU ROLE_SELF_CPU_SHARE, ROLE_SELF_CPU, ROLE_CPU_SHARE, ROLE_CPU_TOTAL, ROLE_CPU_AVG
#define DEVICE ROLE_SELF_DEVICE, ROLE_SELF_DEVICE_SHARE, ROLE_DEVICE_TOTAL, ROLE_DEVICE_AVG
#define CPU_WORDS "Self CPU %  Self CPU  CPU total %  CPU total  CPU time avg"
#define OLD_CPU_WORDS "Self CPU total %  Self CPU total  CPU total %  CPU total  CPU time avg"
#define DEVICE_WORDS(name) "Self " name "  Self " name " %  " name " total  " name " time avg"

enum { MOST = 24 };
#define END ROLE_COUNT

static void headers_of_every_version_are_read(void **state)
{
	static const struct {
		const char *header;
		enum role roles[MOST];
	} cases[] = {
		/* 1.0, 1.1 */
		{ "Name  CPU time  CUDA time  Calls  CPU total  CUDA total",
			{ ROLE_NAME, ROLE_CPU_AVG, ROLE_DEVICE_AVG, ROLE_CALLS, ROLE_CPU_TOTAL, ROLE_DEVICE_TOTAL,
				END } },
		/* 1.2, 1.3: device cells on CPU runs, too */
		{ "Name  " OLD_CPU_WORDS "  CUDA total %  CUDA total  CUDA time avg  Number of Calls  Input Shapes",
			{ ROLE_NAME, CPU, ROLE_DEVICE_SHARE, ROLE_DEVICE_TOTAL, ROLE_DEVICE_AVG, ROLE_CALLS,
				ROLE_SHAPES, END } },
		/* 1.4, 1.5 */
		{ "Name  " OLD_CPU_WORDS "  Number of Calls", { ROLE_NAME, CPU, ROLE_CALLS, END } },
		/* 1.5 with torch_npu */
		{ "Name  " OLD_CPU_WORDS
		  "  NPU total %  NPU total  NPU time avg  CUDA total %  CUDA total  CUDA time avg  Number of Calls",
			{ ROLE_NAME, CPU, ROLE_DEVICE_SHARE, ROLE_DEVICE_TOTAL, ROLE_DEVICE_AVG, ROLE_DEVICE_SHARE,
				ROLE_DEVICE_TOTAL, ROLE_DEVICE_AVG, ROLE_CALLS, END } },
		/* 1.6 */
		{ "Name  " OLD_CPU_WORDS
		  "  CPU Mem  Self CPU Mem  CUDA Mem  Self CUDA Mem  Number of Calls  Node ID  Input Shapes",
			{ ROLE_NAME, CPU, ROLE_MEMORY, ROLE_MEMORY, ROLE_MEMORY, ROLE_MEMORY, ROLE_CALLS, ROLE_NODE,
				ROLE_SHAPES, END } },
		/* 1.7 */
		{ "Name  " CPU_WORDS "  " DEVICE_WORDS("CUDA") "  # of Calls  Input Shapes  Source Location",
			{ ROLE_NAME, CPU, DEVICE, ROLE_CALLS, ROLE_SHAPES, ROLE_SOURCE, END } },
		/* 1.8 */
		{ "Name  " CPU_WORDS "  # of Calls  GFLOPS", { ROLE_NAME, CPU, ROLE_CALLS, ROLE_FLOPS, END } },
		/* 1.8 and later by torch_npu */
		{ "Name  " CPU_WORDS "  " DEVICE_WORDS("NPU") "  NPU Mem  Self NPU Mem  # of Calls",
			{ ROLE_NAME, CPU, DEVICE, ROLE_MEMORY, ROLE_MEMORY, ROLE_CALLS, END } },
		/* 1.9 */
		{ "Name  " CPU_WORDS "  # of Calls  Input Shapes  MFLOPS/s",
			{ ROLE_NAME, CPU, ROLE_CALLS, ROLE_SHAPES, ROLE_FLOPS, END } },
		/* 1.10 to 1.13 */
		{ "Name  " CPU_WORDS "  # of Calls  Total KFLOPs", { ROLE_NAME, CPU, ROLE_CALLS, ROLE_FLOPS, END } },
		/* 2.1 to 2.3 */
		{ "Name  " CPU_WORDS "  " DEVICE_WORDS("CUDA") "  " DEVICE_WORDS("NPU") "  # of Calls",
			{ ROLE_NAME, CPU, DEVICE, DEVICE, ROLE_CALLS, END } },
		/* 2.4 to 2.7 */
		{ "Name  " CPU_WORDS "  " DEVICE_WORDS("XPU") "  # of Calls",
			{ ROLE_NAME, CPU, DEVICE, ROLE_CALLS, END } },
		{ "Name  " CPU_WORDS "  " DEVICE_WORDS("MTIA") "  # of Calls",
			{ ROLE_NAME, CPU, DEVICE, ROLE_CALLS, END } },
		{ "Name  " CPU_WORDS "  " DEVICE_WORDS("PrivateUse1") "  # of Calls",
			{ ROLE_NAME, CPU, DEVICE, ROLE_CALLS, END } },
		{ "Name  " CPU_WORDS "  " DEVICE_WORDS("PRIVATEUSEONE") "  # of Calls",
			{ ROLE_NAME, CPU, DEVICE, ROLE_CALLS, END } },
		/* a backend of its own name */
		{ "Name  " CPU_WORDS "  " DEVICE_WORDS("MY_CHIP2") "  # of Calls",
			{ ROLE_NAME, CPU, DEVICE, ROLE_CALLS, END } },
		{ "Name  " CPU_WORDS "  " DEVICE_WORDS("None") "  # of Calls",
			{ ROLE_NAME, CPU, DEVICE, ROLE_CALLS, END } },
		/* 2.8 and later, and musa */
		{ "Name  Overload Name  " CPU_WORDS "  " DEVICE_WORDS("MUSA") "  # of Calls  Input Shapes",
			{ ROLE_NAME, ROLE_OVERLOAD, CPU, DEVICE, ROLE_CALLS, ROLE_SHAPES, END } },
		/* somebody's own columns */
		{ "Name  " CPU_WORDS "  # of Calls  Full Name", { ROLE_NAME, CPU, ROLE_CALLS, ROLE_OTHER, END } },
		{ "Name  " CPU_WORDS "  # of Calls  my own column", { ROLE_NAME, CPU, ROLE_CALLS, ROLE_OTHER, END } },
		/* squeezed, by tabs, by bars */
		{ "Name Self CPU % Self CPU CPU total % CPU total CPU time avg # of Calls Input Shapes",
			{ ROLE_NAME, CPU, ROLE_CALLS, ROLE_SHAPES, END } },
		{ "Name\tSelf CPU %\tSelf CPU\t# of Calls",
			{ ROLE_NAME, ROLE_SELF_CPU_SHARE, ROLE_SELF_CPU, ROLE_CALLS, END } },
		{ "| Name | Self CPU % | Self CPU | # of Calls |",
			{ ROLE_NAME, ROLE_SELF_CPU_SHARE, ROLE_SELF_CPU, ROLE_CALLS, END } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct layout layout;
		int count = 0;

		if (!layout_parse(str_from(cases[i].header), NULL, &layout))
			fail_msg("no header: %s", cases[i].header);
		for (; cases[i].roles[count] != END; count++) {
			if (count >= layout.count || layout.columns[count].role != cases[i].roles[count])
				fail_msg("column %d of: %s", count, cases[i].header);
			assert_true(layout.at[cases[i].roles[count]] <= count);
		}
		assert_int_equal(layout.count, count);
		assert_false(layout.spans);
	}
}

static void what_is_no_header_leaves_the_layout_alone(void **state)
{
	static const char *const cases[] = { "", "Name", "Names  Self CPU  # of Calls", "name  Self CPU  # of Calls",
		"Name  # of Calls", "Name  Self CPU %  Self CPU", "The Name  Self CPU  # of Calls",
		"Name of the run:  Input Shapes", "-----  -----" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct layout layout = { .count = 77 };

		assert_false(layout_parse(str_from(cases[i]), NULL, &layout));
		assert_int_equal(layout.count, 77);
	}
}

static void signs_of_a_version_are_noted(void **state)
{
	static const struct {
		const char *header;
		bool old_calls, per_second, swapped, bars;
	} cases[] = {
		{ "Name  Self CPU total  Number of Calls", true, false, false, false },
		{ "Name  Self CPU  # of Calls  GFLOPS", false, true, false, false },
		{ "Name  Self CPU  # of Calls  GFLOPS/s", false, true, false, false },
		{ "Name  Self CPU  # of Calls  Total GFLOPs", false, false, false, false },
		{ "Name  Self CPU  # of Calls  Source Location", false, false, false, false },
		{ "Name  Self CPU  # of Calls  Source Location  Total GFLOPs", false, false, true, false },
		{ "| Name | Self CPU | # of Calls |", false, false, false, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct layout layout;

		assert_true(layout_parse(str_from(cases[i].header), NULL, &layout));
		assert_int_equal(layout.old_calls, cases[i].old_calls);
		assert_int_equal(layout.flops_per_second, cases[i].per_second);
		assert_int_equal(layout.swapped, cases[i].swapped);
		assert_int_equal(layout.bars, cases[i].bars);
	}
}

static void a_header_with_too_many_columns_is_none(void **state)
{
	CLEANUP(buf_clear) struct buf header = BUF_INIT(1 << 20);
	struct layout layout;

	buf_add(&header, STR("Name  Self CPU  # of Calls"));
	for (int i = 3; i < MAX_COLUMNS; i++)
		buf_add(&header, STR("  CPU Mem"));
	assert_true(layout_parse(buf_str(&header), NULL, &layout));
	assert_int_equal(layout.count, MAX_COLUMNS);
	buf_add(&header, STR("  CPU Mem"));
	assert_false(layout_parse(buf_str(&header), NULL, &layout));
}

static void dashes_tell_where_columns_stand(void **state)
{
	struct dashes dashes;
	struct layout layout;

	assert_true(dashes_parse(STR("------  ----  -----  "), &dashes));
	assert_int_equal(dashes.count, 3);
	assert_int_equal(dashes.offset, 0);
	assert_true(layout_parse(STR("Name    Self CPU  # of Calls"), &dashes, &layout));
	assert_true(layout.spans);
	assert_int_equal(layout.columns[0].start, 0);
	assert_int_equal(layout.columns[0].end, 6);
	assert_int_equal(layout.columns[1].start, 8);
	assert_int_equal(layout.columns[1].end, 12);
	assert_int_equal(layout.columns[2].start, 14);
	assert_int_equal(layout.columns[2].end, 19);
	/* with another number of runs nobody knows which column is which */
	assert_true(dashes_parse(STR("------  ----  -----  -----"), &dashes));
	assert_true(layout_parse(STR("Name    Self CPU  # of Calls"), &dashes, &layout));
	assert_false(layout.spans);
}

static void dashes_may_hang_on_other_text(void **state)
{
	static const struct {
		const char *text;
		int count;
		uint32_t offset;
		size_t offset_bytes;
	} cases[] = {
		{ "[rank0]: ------  ---  ---", 3, 9, 9 },
		{ "\xe8\xae\xad\xe7\xbb\x83 100%|\xe2\x96\x88| ------  ---  ---", 3, 11, 17 },
		{ "x------  ---  ---   ", 3, 1, 1 },
		{ "-- ------  ---  ---", 3, 3, 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct dashes dashes;

		assert_true(dashes_parse(str_from(cases[i].text), &dashes));
		assert_int_equal(dashes.count, cases[i].count);
		assert_int_equal(dashes.offset, cases[i].offset);
		assert_int_equal(dashes.offset_bytes, cases[i].offset_bytes);
		assert_int_equal(dashes.runs[0].start, cases[i].offset);
		assert_int_equal(dashes.runs[0].end, cases[i].offset + 6);
	}
}

static void other_dashes_leave_the_result_alone(void **state)
{
	static const char *const cases[] = { "", "-", "------", "------  ---", "-----  ---  ---", "------ --- ---",
		"------  --  ---  -", "------  ---  --- x", "======  ===  ===", "------  ---\t---" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct dashes dashes = { .count = 77 };

		assert_false(dashes_parse(str_from(cases[i]), &dashes));
		assert_int_equal(dashes.count, 77);
	}
}

static void a_piece_of_a_line_of_dashes_is_known(void **state)
{
	assert_true(dashes_only(STR("-- ---")));
	assert_true(dashes_only(STR("-")));
	assert_false(dashes_only(STR("  ")));
	assert_false(dashes_only(STR("")));
	assert_false(dashes_only(STR("--- x")));
	assert_false(dashes_only(STR("---\t---")));
}

static void endless_dashes_cost_one_look(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 24);
	struct dashes dashes;

	for (size_t i = 0; i < 100000; i++)
		buf_add(&text, STR("------  "));
	assert_true(dashes_parse(buf_str(&text), &dashes));
	assert_int_equal(dashes.count, MAX_COLUMNS);
	assert_int_equal(dashes.offset, 8 * (100000 - MAX_COLUMNS));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_of_every_version_are_read),
		cmocka_unit_test(what_is_no_header_leaves_the_layout_alone),
		cmocka_unit_test(signs_of_a_version_are_noted),
		cmocka_unit_test(a_header_with_too_many_columns_is_none),
		cmocka_unit_test(dashes_tell_where_columns_stand),
		cmocka_unit_test(dashes_may_hang_on_other_text),
		cmocka_unit_test(other_dashes_leave_the_result_alone),
		cmocka_unit_test(a_piece_of_a_line_of_dashes_is_known),
		cmocka_unit_test(endless_dashes_cost_one_look),
	};

	return run_group(tests);
}
