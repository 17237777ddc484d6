#include "check/score/timed_dump.h"

#include "assess/estimate/calls.h"
#include "assess/estimate/call_cost.h"
#include "base/value/decimal.h"
#include "base/value/figure.h"
#include "base/value/utf8.h"
#include "dump/dump.h"
#include "dump/npu/csv_kind.h"
#include "dump/npu/csv_rows.h"

struct reading {
	const struct time_score_request *request;
	struct ratio_table table; /* of all families */
	struct timed_dump *dump;
	struct err *err;
};

/* --- sums */

static void add_cell(struct time_cell *to, const struct time_cell *more)
{
	to->calls = figure_count(to->calls, more->calls);
	to->measured_ns = figure_add(to->measured_ns, more->measured_ns);
	to->roofline_ns = figure_add(to->roofline_ns, more->roofline_ns);
	to->base_ns = figure_add(to->base_ns, more->base_ns);
	span_add(&to->estimated, more->estimated);
}

/* Adds calls of one kind; kernels: of one call. */
static void add_calls(
	struct reading *reading, const struct call_cost *cost, double calls, double kernels, int64_t device_ns)
{
	struct timed_dump *dump = reading->dump;
	struct time_cell more = { .calls = (uint64_t)(calls + 0.5), .measured_ns = figure_add(device_ns, 0) };
	enum size_bin bin = BIN_ANY; /* none */
	struct call_time time;

	if (dump->chip && !cost->lack && roofline_of(dump->chip, &reading->table, cost, kernels, &time)) {
		bin = size_bin_of((double)time.roofline_ps / 1e6);
		more.roofline_ns = roofline_sum(time.roofline_ps, calls);
		more.base_ns = roofline_sum(time.base_ps, calls);
		more.estimated = roofline_span(&time, calls);
	}
	for (unsigned i = 0; i < 2; i++) {
		struct time_cell *cells = dump->cells[i ? WORK_COUNT : cost->class];

		add_cell(&cells[CELL_ALL], &more);
		if (bin == BIN_ANY)
			continue;
		add_cell(&cells[bin], &more);
		add_cell(&cells[BIN_ANY], &more);
	}
}

/* --- dumps */

static int read_calls(struct reading *reading, const struct timing_facts *timing, struct source *source)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct profile *profile = profile_new(reading->request->limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct dump_facts facts = { 0 };
	struct calls calls;
	int status = dump_read(source,
		&(struct dump_context){ .sink = &sink, .limits = reading->request->limits, .facts = &facts },
		reading->err);

	profile_finish(profile);
	if (!reading->request->chip.len)
		reading->dump->chip = timing_chip(timing, str_from(facts.device.chip));
	if (!status)
		calls_gather(&arena, profile, 0, &calls);
	for (size_t i = 0; !status && i < calls.count; i++) {
		const struct call_use *item = &calls.items[i];
		double kernels = item->kernels, launched = (double)calls.uses[i].calls;

		if (!item->part && item->cost.class != WORK_NONE && calls_work(&calls, i))
			add_calls(reading, &item->cost, calls.counted && kernels < 1 ? launched * kernels : launched,
				kernels > 1 ? kernels : 1, item->device_ns);
	}
	arena_clear(&arena);
	profile_free(profile);
	return status;
}

/* --- tables of kernels */

enum column { TYPE, CORE, DURATION, INPUTS, INPUT_TYPES, OUTPUTS, OUTPUT_TYPES, COLUMNS };

/* Names of kernel_details.csv and op_summary.csv. */
static const char *const column_names[COLUMNS] = { "Type|OP Type", "Accelerator Core|Task Type",
	"Duration(us)|Task Duration(us)", "Input Shapes", "Input Data Types", "Output Shapes", "Output Data Types" };

struct kernel_table {
	struct reading *reading;
	struct arena scratch;
	int at[COLUMNS]; /* of columns; -1: absent */
	bool begun, is;  /* such a table */
};

static void find_columns(struct kernel_table *table, const struct csv_row *row)
{
	table->begun = true;
	for (size_t i = 0; i < COLUMNS; i++)
		table->at[i] = csv_column_find(column_names[i], row->cells,
			row->broken                     ? 0
			: row->count < CSV_KEPT_COLUMNS ? row->count
							: CSV_KEPT_COLUMNS);
	table->is = table->at[TYPE] >= 0 && table->at[CORE] >= 0 && table->at[DURATION] >= 0;
}

/* Collectives are left out. */
static void take_kernel(void *ctx, const struct csv_row *row)
{
	struct kernel_table *table = ctx;
	struct str cells[COLUMNS];
	struct call_cost cost;
	int64_t ns;

	if (!table->begun) {
		find_columns(table, row);
		return;
	}
	if (!table->is || row->broken)
		return;
	for (size_t i = 0; i < COLUMNS; i++)
		cells[i] = table->at[i] >= 0 && (size_t)table->at[i] < row->count ? str_trim(row->cells[table->at[i]])
										  : STR("");
	if (str_eq(cells[CORE], STR("HCCL")) || str_eq(cells[CORE], STR("COMMUNICATION")) ||
		!decimal_scaled(cells[DURATION], 1000, &ns) || ns < 0)
		return;
	cost = kernel_cost_of(&table->scratch, &(struct cann_kernel){ cells[TYPE], cells[INPUTS], cells[INPUT_TYPES],
						       cells[OUTPUTS], cells[OUTPUT_TYPES] });
	if (str_eq(cells[CORE], STR("AI_CPU")))
		cost.class = WORK_AICPU;
	add_calls(table->reading, &cost, 1, 1, ns);
}

/* *ret_table is false, and nothing added, for any other file. */
static int read_kernels(struct reading *reading, struct source *source, bool *ret_table)
{
	struct kernel_table table = { .reading = reading, .scratch = ARENA_INIT(ARENA_UNLIMITED) };
	struct csv_rows *rows = csv_rows_new(reading->request->limits, take_kernel, &table);
	struct str chunk;
	int status;

	while ((status = source_next(source, &chunk, reading->err)) == 1 && (!table.begun || table.is))
		csv_rows_feed(rows, chunk);
	csv_rows_end(rows);
	csv_rows_free(rows);
	arena_clear(&table.scratch);
	*ret_table = table.is;
	return status < 0 ? status : 0;
}

/* --- a file */

int timed_dump_read(const struct time_score_request *request, const struct timing_facts *facts, const char *path,
	struct timed_dump *ret, struct err *err)
{
	struct reading reading = { .request = request, .dump = ret, .err = err };
	struct source *source;
	bool table = false;
	int status = 0;

	*ret = (struct timed_dump){ .file = str_from(path), .chip = timing_chip(facts, request->chip) };
	ratio_table_fill(facts, STR("all"), &reading.table);
	/* a table of kernels is read as such, whatever dump it is else */
	for (unsigned as_dump = 0; as_dump < 2 && !status && !table; as_dump++) {
		status = source_open(path, request->limits, &source, err);
		if (status)
			break;
		source_skip_digest(source);
		status = as_dump ? read_calls(&reading, facts, source) : read_kernels(&reading, source, &table);
		source_close(source);
	}
	if (!status && !ret->cells[WORK_COUNT][CELL_ALL].calls)
		status = err_set(err, ERR_NOT_OBSERVABLE, "the dump has no times of a device");
	if (!status && !ret->chip) {
		err_set(err, ERR_VALUE, "the peaks of the chip '%s' are unknown", shown(request->chip).text);
		status = err_hint(err, "name one that `opcheck targets -f json` lists with --chip");
	}
	return status ? err_file(err, shown(str_from(path)).text) : 0;
}
