/* Which table of torch_npu a header belongs to, over its versions. */
#include "dump/npu/csv_kind.h"
#include "tests/unit/check.h"

static bool find(const char *line, struct csv_header *ret)
{
	struct str cells[64], rest = str_from(line);
	size_t count = 0;

	while (count < ARRAY_SIZE(cells) && str_cut(&rest, ',', &cells[count]))
		count++;
	return csv_header_find(cells, count, ret);
}

static void tables_are_told_by_their_columns(void **state)
{
	static const struct {
		const char *line, *format, *missing;
		int name, device; /* columns */
	} cases[] = {
		{ "Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self "
		  "Duration(us)",
			"npu-operator-details", NULL, 0, 5 },
		{ "Host Self Duration(us),Name", "npu-operator-details", NULL, 1, -1 },
		{ "Input Shapes,Host Self Duration(us)", "npu-operator-details", "Name", -1, -1 },
		{ "Name,Call Stack", "npu-operator-details", "Host Self Duration(us)", 0, -1 },
		{ "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim",
			"npu-kernel-details", NULL, 1, 4 },
		{ "Step Id,Device_id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start "
		  "Time(us),Duration(us),"
		  "Wait Time(us),Block Num,Input Shapes",
			"npu-kernel-details", NULL, 6, 10 },
		{ "Device_id,Model ID,Task ID,Stream ID,Op Name,OP Type,OP State,Task Type,Task Start Time(us),"
		  "Task Duration(us),Task Wait Time(us)",
			"npu-op-summary", NULL, 5, 9 },
		{ "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us)", "npu-op-statistic", NULL, 1, 4 },
		{ "OP Type,Core Type,Count,Total Time(us)", "npu-op-statistic", NULL, 0, 3 },
		{ "Level,API Name,Time(us),Count,Avg(us)", "npu-api-statistic", NULL, 1, -1 },
		{ "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Free", "npu-step-trace-time", NULL,
			-1, -1 },
		{ "Timestamp,Node,Compute_time(ms),Memcpy_time(us),Task_time(ms)", "npu-data-preprocess", NULL, 1, 2 },
		{ "Name,Size(KB),Allocation Time(us),Release Time(us)", "npu-operator-memory", NULL, 0, -1 },
		{ "Component,Timestamp(us),Total Allocated(MB)", "npu-memory-record", NULL, 0, -1 },
		{ "op,calls,shapes", "list-csv", NULL, 0, -1 },
		{ "Count, Operator Name ", "list-csv", NULL, 1, -1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct csv_header header;

		if (!find(cases[i].line, &header))
			fail_msg("%s: no kind", cases[i].line);
		assert_string_equal(header.kind->format, cases[i].format);
		assert_int_equal(!header.missing, !cases[i].missing);
		if (cases[i].missing)
			assert_string_equal(header.missing, cases[i].missing);
		assert_int_equal(header.at[CSV_NAME], cases[i].name);
		assert_int_equal(header.at[CSV_SELF_DEVICE], cases[i].device);
	}
}

static void other_tables_are_none(void **state)
{
	static const char *const lines[] = { "city,people", "Type,Count", "", ",,,", "Name Self CPU",
		"Step Identity,Nam", "Count" };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct csv_header header;

		if (find(lines[i], &header))
			fail_msg("\"%s\" is %s", lines[i], header.kind->format);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_told_by_their_columns),
		cmocka_unit_test(other_tables_are_none),
	};

	return run_group(tests);
}
