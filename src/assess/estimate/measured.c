#include "assess/estimate/measured.h"

#include "assess/estimate/kernel_cost.h"
#include "base/value/decimal.h"
#include "base/value/figure.h"
#include "base/view/ascii.h"
#include "dump/npu/csv_rows.h"

/* --- calls */

void measured_of_calls(const struct calls *calls, struct measured *ret)
{
	size_t count;
	const struct profile_use *uses = profile_uses(calls->profile, &count);

	for (size_t i = 0; i < count; i++) {
		double launched = (double)uses[i].calls;

		if (calls->part[i] || calls->costs[i].class == WORK_NONE || !calls_work(calls, i))
			continue;
		if (calls->counted && calls->kernels[i] < 1)
			launched *= calls->kernels[i];
		MEM_PUSH(&ret->items, ((struct measured_call){ calls->costs[i], launched,
					      calls->kernels[i] > 1 ? calls->kernels[i] : 1, calls->device_ns[i] }));
	}
}

/* --- tables of kernels */

enum column { TYPE, CORE, DURATION, INPUTS, INPUT_TYPES, OUTPUTS, OUTPUT_TYPES, COLUMNS };

/* Names of kernel_details.csv and op_summary.csv. */
static const char *const column_names[COLUMNS] = { "Type|OP Type", "Accelerator Core|Task Type",
	"Duration(us)|Task Duration(us)", "Input Shapes", "Input Data Types", "Output Shapes", "Output Data Types" };

struct kernel_table {
	struct csv_rows *rows;
	struct arena scratch;
	struct measured *ret;
	int at[COLUMNS]; /* -1: absent */
	bool begun, is;  /* such a table */
};

static void find_columns(struct kernel_table *table, const struct csv_row *row)
{
	table->begun = true;
	for (size_t column = 0; column < COLUMNS; column++) {
		table->at[column] = -1;
		for (size_t i = 0; i < row->count && i < CSV_KEPT_COLUMNS && !row->broken; i++) {
			struct str names = str_from(column_names[column]), name;

			while (table->at[column] < 0 && str_cut(&names, '|', &name))
				table->at[column] = str_eq_fold(name, str_trim(row->cells[i])) ? (int)i : -1;
		}
	}
	table->is = table->at[TYPE] >= 0 && table->at[CORE] >= 0 && table->at[DURATION] >= 0;
}

static struct str cell(const struct kernel_table *table, const struct csv_row *row, enum column column)
{
	int at = table->at[column];

	return at < 0 || (size_t)at >= row->count ? STR("") : str_trim(row->cells[at]);
}

static void take_kernel(void *ctx, const struct csv_row *row)
{
	struct kernel_table *table = ctx;
	struct str core;
	struct measured_call call = { .calls = 1, .kernels = 1 };

	if (!table->begun) {
		find_columns(table, row);
		return;
	}
	if (!table->is || row->broken)
		return;
	core = cell(table, row, CORE);
	if (str_eq(core, STR("HCCL")) || str_eq(core, STR("COMMUNICATION")) ||
		!decimal_scaled(cell(table, row, DURATION), 1000, &call.device_ns) || call.device_ns < 0)
		return;
	call.cost = kernel_cost_of(&table->scratch,
		&(struct cann_kernel){ cell(table, row, TYPE), cell(table, row, INPUTS), cell(table, row, INPUT_TYPES),
			cell(table, row, OUTPUTS), cell(table, row, OUTPUT_TYPES) });
	if (str_eq(core, STR("AI_CPU")))
		call.cost.class = WORK_AICPU;
	call.device_ns = figure_add(call.device_ns, 0);
	MEM_PUSH(&table->ret->items, call);
}

int measured_of_kernels(
	struct source *source, const struct limits *limits, struct measured *ret, bool *ret_table, struct err *err)
{
	struct kernel_table table = { .scratch = ARENA_INIT(ARENA_UNLIMITED), .ret = ret };
	struct str chunk;
	int status;

	table.rows = csv_rows_new(limits, take_kernel, &table);
	while ((status = source_next(source, &chunk, err)) == 1 && (!table.begun || table.is))
		csv_rows_feed(table.rows, chunk);
	csv_rows_end(table.rows);
	csv_rows_free(table.rows);
	arena_clear(&table.scratch);
	*ret_table = table.is;
	return status < 0 ? status : 0;
}

/* --- sums */

static void add_call(struct measured_sum *sum, const struct measured_call *call, const struct call_time *time)
{
	uint64_t calls = (uint64_t)(call->calls + 0.5);

	sum->calls += calls;
	sum->measured_ns = figure_add(sum->measured_ns, call->device_ns);
	if (!time)
		return;
	sum->known_calls += calls;
	sum->known_ns = figure_add(sum->known_ns, call->device_ns);
	sum->roofline_ns = figure_add(sum->roofline_ns, roofline_sum(time->roofline_ps, call->calls));
	sum->base_ns = figure_add(sum->base_ns, roofline_sum(time->base_ps, call->calls));
	for (unsigned i = 0; i < RATIO_COUNT; i++)
		sum->at_ns[i] = figure_add(sum->at_ns[i], roofline_sum(time->at_ps[i], call->calls));
}

void measured_sums(const struct measured *measured, const struct chip_peaks *chip, const struct ratio_table *table,
	struct measured_sum ret[WORK_COUNT + 1])
{
	memset(ret, 0, (WORK_COUNT + 1) * sizeof(ret[0]));
	for (size_t i = 0; i < measured->items.count; i++) {
		const struct measured_call *call = &measured->items.items[i];
		struct call_time time;
		bool known = !call->cost.lack && roofline_of(chip, table, &call->cost, call->kernels, &time);

		add_call(&ret[call->cost.class], call, known ? &time : NULL);
		add_call(&ret[WORK_COUNT], call, known ? &time : NULL);
	}
}
