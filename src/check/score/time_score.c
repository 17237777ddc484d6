#include "check/score/time_score.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "assess/estimate/calls.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/figure.h"
#include "base/value/utf8.h"
#include "dump/dump.h"
#include "dump/npu/csv_kind.h"
#include "dump/npu/csv_rows.h"

enum { SPEAKS_PERCENT = 2, FEW = 2 };
static const double quantiles[RATIO_COUNT] = { 0.1, 0.5, 0.9 };

enum column { TYPE, CORE, DURATION, INPUTS, INPUT_TYPES, OUTPUTS, OUTPUT_TYPES, COLUMNS };

/* Names of kernel_details.csv and op_summary.csv. */
static const char *const column_names[COLUMNS] = { "Type|OP Type", "Accelerator Core|Task Type",
	"Duration(us)|Task Duration(us)", "Input Shapes", "Input Data Types", "Output Shapes", "Output Data Types" };

struct reading {
	const struct time_score_request *request;
	const struct timing_facts *facts;
	struct ratio_table table; /* of all families */
	struct timed_dump *dump;
	struct arena scratch;
	enum { NOT_BEGUN, OTHER, KERNELS } form; /* as a table */
	int at[COLUMNS];                         /* -1: absent */
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

static int read_calls(struct reading *reading, struct source *source)
{
	struct profile *profile = profile_new(reading->request->limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct dump_facts facts = { 0 };
	struct calls calls;
	int status = dump_read(source,
		&(struct dump_context){ .sink = &sink, .limits = reading->request->limits, .facts = &facts },
		reading->err);

	profile_finish(profile);
	if (!reading->request->chip.len)
		reading->dump->chip = timing_chip(reading->facts, str_from(facts.device.chip));
	if (!status)
		calls_gather(&reading->scratch, profile, 0, &calls);
	for (size_t i = 0; !status && i < calls.count; i++) {
		const struct call_use *item = &calls.items[i];
		double kernels = item->kernels, launched = (double)calls.uses[i].calls;

		if (!item->part && item->cost.class != WORK_NONE && calls_work(&calls, i))
			add_calls(reading, &item->cost, calls.counted && kernels < 1 ? launched * kernels : launched,
				kernels > 1 ? kernels : 1, item->device_ns);
	}
	profile_free(profile);
	return status;
}

/* --- tables of kernels */

static void find_columns(struct reading *reading, const struct csv_row *row)
{
	size_t count = row->count < CSV_KEPT_COLUMNS ? row->count : CSV_KEPT_COLUMNS;

	for (size_t i = 0; i < COLUMNS; i++)
		reading->at[i] = csv_column_find(column_names[i], row->cells, count);
	reading->form = !row->broken && reading->at[TYPE] >= 0 && reading->at[CORE] >= 0 && reading->at[DURATION] >= 0
				? KERNELS
				: OTHER;
}

/* Collectives are left out. */
static void take_kernel(void *ctx, const struct csv_row *row)
{
	struct reading *reading = ctx;
	struct str cells[COLUMNS];
	struct call_cost cost;
	int64_t ns;

	if (reading->form == NOT_BEGUN)
		find_columns(reading, row); /* whose row has no duration */
	else if (reading->form == OTHER || row->broken)
		return;
	for (size_t i = 0; i < COLUMNS; i++) {
		size_t at = (size_t)reading->at[i]; /* -1 is none, too */

		cells[i] = at < row->count ? str_trim(row->cells[at]) : STR("");
	}
	if (str_eq(cells[CORE], STR("HCCL")) || str_eq(cells[CORE], STR("COMMUNICATION")) ||
		!decimal_scaled(cells[DURATION], 1000, &ns) || ns < 0)
		return;
	cost = kernel_cost_of(&reading->scratch, &(struct cann_kernel){ cells[TYPE], cells[INPUTS], cells[INPUT_TYPES],
							 cells[OUTPUTS], cells[OUTPUT_TYPES] });
	if (str_eq(cells[CORE], STR("AI_CPU")))
		cost.class = WORK_AICPU;
	add_calls(reading, &cost, 1, 1, ns);
}

/* Leaves any other file after its first row. */
static int read_kernels(struct reading *reading, struct source *source)
{
	struct csv_rows *rows = csv_rows_new(reading->request->limits, take_kernel, reading);
	struct str chunk;
	int status;

	while ((status = source_next(source, &chunk, reading->err)) == 1 && reading->form != OTHER)
		csv_rows_feed(rows, chunk);
	csv_rows_end(rows);
	csv_rows_free(rows);
	return status < 0 ? status : 0;
}

/* A table of kernels is read as such, whatever dump it is else. */
static int read_dump(struct reading *reading, const char *path)
{
	static int (*const readers[])(struct reading *, struct source *) = { read_kernels, read_calls };
	struct err *err = reading->err;
	struct source *source;
	int status = 0;

	*reading->dump = (struct timed_dump){ .file = str_from(path),
		.chip = timing_chip(reading->facts, reading->request->chip) };
	reading->form = NOT_BEGUN;
	for (size_t i = 0; i < ARRAY_SIZE(readers) && !status && reading->form != KERNELS; i++) {
		status = source_open(path, reading->request->limits, &source, err);
		if (status)
			break;
		source_skip_digest(source);
		status = readers[i](reading, source);
		source_close(source);
		arena_clear(&reading->scratch);
	}
	if (!status && !reading->dump->cells[WORK_COUNT][CELL_ALL].calls)
		status = err_set(err, ERR_NOT_OBSERVABLE, "the dump has no times of a device");
	if (!status && !reading->dump->chip) {
		err_set(err, ERR_VALUE, "the peaks of the chip '%s' are unknown", shown(reading->request->chip).text);
		status = err_hint(err, "name one that `opcheck targets -f json` lists with --chip");
	}
	return status ? err_file(err, shown(str_from(path)).text) : 0;
}

/* --- ratios of workloads */

static int by_size(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static double at_share(const double *sorted, size_t count, double share)
{
	size_t rank = (size_t)(share * (double)count + 0.999999);

	return count ? sorted[rank ? rank - 1 : 0] : 0;
}

/* The row of a class and bin without one dump, NULL: of all; its workloads are 0 where no dump speaks for it. */
static struct work_ratio ratio_without(
	const struct time_score *score, const struct timed_dump *without, unsigned work, enum size_bin bin)
{
	CLEANUP(mem_release) double *ratios = mem_zalloc((score->count + 1) * sizeof(ratios[0]));
	struct work_ratio row = { .class = (enum work_class)work, .family = STR("all"), .bin = bin };

	for (size_t i = 0; i < score->count; i++) {
		const struct timed_dump *dump = &score->items[i];
		const struct time_cell *cell = &dump->cells[work][bin];

		if (dump == without || cell->base_ns <= 0 || cell->measured_ns <= 0 ||
			dump->cells[work][BIN_ANY].measured_ns <
				dump->cells[WORK_COUNT][CELL_ALL].measured_ns / 100 * SPEAKS_PERCENT)
			continue;
		row.calls += cell->calls;
		ratios[row.workloads++] = (double)cell->measured_ns / (double)cell->base_ns;
	}
	qsort(ratios, row.workloads, sizeof(ratios[0]), by_size);
	for (unsigned i = 0; i < RATIO_COUNT; i++)
		row.ratios[i] = at_share(ratios, row.workloads, quantiles[i]);
	return row;
}

/* The order of timing_ratio: a cell of two workloads, else the class, else the bin; one is enough for these. */
static struct work_ratio best_ratio(
	const struct time_score *score, const struct timed_dump *without, unsigned work, enum size_bin bin)
{
	struct work_ratio row = ratio_without(score, without, work, bin);

	if (row.workloads < FEW)
		row = ratio_without(score, without, work, BIN_ANY);
	return row.workloads ? row : ratio_without(score, without, WORK_COUNT, bin);
}

static void predict(const struct time_score *score, struct timed_dump *dump)
{
	for (unsigned work = 0; work < WORK_COUNT; work++) {
		double at[RATIO_COUNT] = { 0 }, measured = (double)dump->cells[work][BIN_ANY].measured_ns;
		bool spans = true; /* two workloads or more: an interval, not a point */

		for (unsigned bin = 0; bin < BIN_ANY; bin++) {
			const struct time_cell *cell = &dump->cells[work][bin];
			struct work_ratio row;

			if (!cell->calls)
				continue;
			row = best_ratio(score, dump, work, (enum size_bin)bin);
			spans &= row.workloads >= FEW;
			for (unsigned i = 0; i < RATIO_COUNT; i++)
				at[i] += row.ratios[i] * (double)cell->base_ns;
		}
		if (!(at[RATIO_P50] > 0))
			continue;
		dump->others_ns = figure_add(dump->others_ns, (int64_t)(at[RATIO_P50] + 0.5));
		dump->classes += spans;
		dump->held += spans && measured >= at[RATIO_P10] && measured <= at[RATIO_P90];
	}
}

/* --- the score */

int time_score_run(const struct time_score_request *request, struct time_score *ret, struct err *err)
{
	struct reading reading = { .request = request, .scratch = ARENA_INIT(ARENA_UNLIMITED), .err = err };
	int status = timing_facts_get(request->db, &reading.facts, err);

	*ret = (struct time_score){ mem_zalloc((request->count + 1) * sizeof(ret->items[0])), request->count };
	if (!status)
		ratio_table_fill(reading.facts, STR("all"), &reading.table);
	for (size_t i = 0; i < request->count && !status; i++) {
		reading.dump = &ret->items[i];
		status = read_dump(&reading, request->files[i]);
	}
	for (size_t i = 0; i < ret->count && !status; i++)
		predict(ret, &ret->items[i]);
	return status;
}

void time_score_clear(struct time_score *score)
{
	free(score->items);
	*score = (struct time_score){ 0 };
}

double time_factor(int64_t estimated_ns, int64_t measured_ns)
{
	if (estimated_ns <= 0 || measured_ns <= 0)
		return 0;
	return estimated_ns > measured_ns ? (double)estimated_ns / (double)measured_ns
					  : (double)measured_ns / (double)estimated_ns;
}

double time_score_factor(const struct time_score *score, double share)
{
	CLEANUP(mem_release) double *factors = mem_zalloc((score->count + 1) * sizeof(factors[0]));
	size_t known = 0;

	for (size_t i = 0; i < score->count; i++) {
		factors[known] = time_factor(
			score->items[i].others_ns, score->items[i].cells[WORK_COUNT][BIN_ANY].measured_ns);
		known += factors[known] > 0;
	}
	qsort(factors, known, sizeof(factors[0]), by_size);
	return at_share(factors, known, share);
}

void time_score_put_ratios(const struct time_score *score, struct buf *out)
{
	buf_add(out, STR("# "));
	for (const char *c = WORK_RATIO_COLUMNS; *c; c++)
		buf_byte(out, *c == ' ' ? '\t' : *c);
	for (unsigned work = 0; work <= WORK_COUNT; work++) {
		for (unsigned bin = 0; bin <= BIN_ANY; bin++) {
			struct work_ratio row = ratio_without(score, NULL, work, (enum size_bin)bin);

			if (!row.workloads)
				continue;
			buf_printf(out, "\n%.*s\tall\t%.*s", STR_ARG(word_for(&ratio_words, work)),
				STR_ARG(word_for(&bin_words, bin)));
			for (unsigned i = 0; i < RATIO_COUNT; i++) {
				buf_byte(out, '\t');
				decimal_put(out, (int64_t)fmax(row.ratios[i] * 10000 + 0.5, 1), 4);
			}
			buf_printf(out, "\t%" PRIu64 "\t%" PRIu64, row.calls ? row.calls : 1, row.workloads);
		}
	}
	buf_byte(out, '\n');
}
