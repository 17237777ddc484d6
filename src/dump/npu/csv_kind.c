#include "dump/npu/csv_kind.h"

#include "base/memory/mem.h"
#include "base/view/ascii.h"
#include "op/event.h"

enum { US = 1000, MS = 1000 * 1000 };

/*
 * Sources: torch_npu v1.8.1 to v2.7.1-26.1.0, torch_npu/profiler/analysis (https://gitcode.com/Ascend/pytorch), and the
 * files that its profiler wrote. op_summary, op_statistic and api_statistic come from CANN's msprof and are passed on.
 */
static const struct csv_kind kinds[] = {
	{ "npu-operator-details", "operator_details.csv", TABLE_NO_STEPS, false, false, NULL,
		{ { "Name", CSV_NAME, true }, { "Input Shapes", CSV_SHAPES },
			{ "Host Self Duration(us)", CSV_SELF_CPU, true, true, US },
			{ "Host Total Duration(us)", CSV_CPU_TOTAL, false, true, US },
			{ "Device Self Duration(us)", CSV_SELF_DEVICE, false, true, US },
			{ "Call Stack", CSV_MARK, false, true } } },
	{ "npu-kernel-details", "kernel_details.csv", TABLE_DEVICE_TASKS, false, false, NULL,
		{ { "Type", CSV_NAME, true }, { "Accelerator Core", CSV_CORE, true, true },
			{ "Duration(us)", CSV_SELF_DEVICE, true, false, US }, { "Name", CSV_TASK },
			{ "Step Id", CSV_MARK, false, true }, { "Block Dim|Block Num", CSV_MARK, false, true } } },
	{ "npu-op-summary", "op_summary.csv", TABLE_DEVICE_TASKS, false, false, NULL,
		{ { "OP Type", CSV_NAME, true }, { "Task Type", CSV_CORE, true, true },
			{ "Task Duration(us)", CSV_SELF_DEVICE, true, true, US }, { "Op Name", CSV_TASK } } },
	{ "npu-op-statistic", "op_statistic.csv", TABLE_DEVICE_TASKS, false, false, NULL,
		{ { "OP Type", CSV_NAME, true }, { "Core Type", CSV_CORE, true, true }, { "Count", CSV_CALLS, true },
			{ "Total Time(us)", CSV_SELF_DEVICE, false, true, US } } },
	{ "npu-api-statistic", "api_statistic.csv", TABLE_HOST_CALLS, false, false, NULL,
		{ { "API Name", CSV_NAME, true, true }, { "Count", CSV_CALLS, true },
			{ "Time(us)", CSV_SELF_CPU, true, false, US }, { "Level", CSV_MARK } } },
	{ "npu-step-trace-time", "step_trace_time.csv", TABLE_HOST_CALLS, true, false, NULL,
		{ { "Step", CSV_STEP, true }, { "Computing", CSV_MARK, true, true },
			{ "Communication(Not Overlapped)", CSV_MARK, false, true }, { "Bubble", CSV_MARK } } },
	{ "npu-data-preprocess", "data_preprocess.csv", TABLE_DEVICE_TASKS, false, true, NULL,
		{ { "Node", CSV_NAME, true }, { "Compute_time(ms)", CSV_SELF_DEVICE, true, true, MS },
			{ "Task_time(ms)", CSV_MARK, false, true }, { "Dispatch_time(ms)", CSV_MARK, false, true } } },
	{ "npu-operator-memory", "operator_memory.csv", 0, false, false, "a list of allocations, not of calls",
		{ { "Name", CSV_NAME, true }, { "Size(KB)", CSV_MARK, true, true },
			{ "Allocation Time(us)", CSV_MARK, false, true } } },
	{ "npu-memory-record", "memory_record.csv", 0, false, false, "a list of allocations, not of calls",
		{ { "Component", CSV_NAME, true }, { "Timestamp(us)", CSV_MARK, true, true },
			{ "Total Allocated(MB)", CSV_MARK, false, true } } },
	/* last: what a table of the profiler may be is none */
	{ "list-csv", "an operator list", TABLE_NO_STEPS, false, false, NULL,
		{ { "name|op|op name|op_name|operator|operator name|operator_name", CSV_NAME, true },
			{ "calls|count|# of calls|number of calls|num_calls|n", CSV_CALLS },
			{ "shapes|input shapes|input_shapes|input shape|input_shape|shape|dims", CSV_SHAPES } } },
};

static bool is_spelling(struct str names, struct str cell)
{
	struct str name;

	while (str_cut(&names, '|', &name)) {
		if (str_eq_fold(name, cell))
			return true;
	}
	return false;
}

int csv_column_find(const char *names, const struct str *cells, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (is_spelling(str_from(names), str_trim(cells[i])))
			return (int)i;
	}
	return -1;
}

/* Match of the cells with the kind: 0 not at all. A kind with all its required columns goes before the others. */
static unsigned fit(const struct csv_kind *kind, const struct str *cells, size_t count, struct csv_header *ret)
{
	unsigned found = 0, distinctive = 0;

	*ret = (struct csv_header){ .kind = kind, .count = count };
	for (size_t i = 0; i < CSV_ROLES; i++)
		ret->at[i] = -1;
	for (size_t i = 0; i < CSV_MAX_COLUMNS && kind->columns[i].names; i++) {
		const struct csv_column *column = &kind->columns[i];
		int at = csv_column_find(column->names, cells, count);

		found += at >= 0;
		distinctive += at >= 0 && column->distinctive;
		if (at < 0 && column->needed && !ret->missing)
			ret->missing = column->names;
		if (at >= 0) {
			ret->at[column->role] = at;
			ret->unit_ns[column->role] = column->unit_ns;
		}
	}
	if (ret->missing && !distinctive)
		return 0;
	return found + (ret->missing ? 0 : 100);
}

bool csv_header_find(const struct str *cells, size_t count, struct csv_header *ret)
{
	unsigned best = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kinds) && !(best && i == ARRAY_SIZE(kinds) - 1); i++) {
		struct csv_header header;
		unsigned score = fit(&kinds[i], cells, count, &header);

		if (score > best) {
			best = score;
			*ret = header;
		}
	}
	return best > 0;
}
