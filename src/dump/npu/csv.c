#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/figure.h"
#include "base/view/ascii.h"
#include "dump/common/format.h"
#include "dump/common/tally.h"
#include "dump/npu/cann.h"
#include "dump/npu/csv_kind.h"
#include "dump/npu/csv_rows.h"
#include "dump/npu/csv_sums.h"
#include "op/name.h"
#include "op/shape.h"

struct csv_reader {
	struct dump_context context;
	struct csv_rows *rows;
	struct csv_header header; /* kind NULL: not read yet */
	unsigned stream;
	bool failed, ending;
	bool any_shapes;
	struct buf shape; /* of the row under way */
	struct csv_sums *sums;
	struct tally *tally;
	struct err err;
};

/* --- cells */

static struct str cell(const struct csv_reader *reader, const struct csv_row *row, enum csv_role role)
{
	int at = reader->header.at[role];

	return at < 0 ? STR("") : row->cells[at];
}

/* str_trim, quick where there is nothing to take off. */
static struct str trimmed(struct str text)
{
	return text.len && text.ptr[0] > ' ' && text.ptr[text.len - 1] > ' ' ? text : str_trim(text);
}

/* "1.5e-05", as Python prints small numbers; the exponent has a few digits. */
static bool read_exponent(struct str text, int64_t scale, int64_t *ret)
{
	struct str rest = text, mantissa;
	int64_t exponent, value;

	str_cut(&rest, 'e', &mantissa);
	if (!rest.ptr || !decimal_scaled(rest.len && rest.ptr[0] == '+' ? str_skip(rest, 1) : rest, 1, &exponent) ||
		exponent < -300 || exponent > 18 || !decimal_scaled(mantissa, scale, &value))
		return false;
	for (; exponent < 0 && value; exponent++)
		value /= 10;
	for (; exponent > 0; exponent--) {
		if (__builtin_mul_overflow(value, 10, &value))
			return false;
	}
	*ret = value;
	return true;
}

/* "12.5", as nearly all times are: so few digits that they fit, three of them behind the point at most. */
static bool short_time(struct str text, int64_t unit_ns, int64_t *ret)
{
	enum { MOST = 10 };
	int64_t value = 0, scale = unit_ns;
	size_t at = 0, point = text.len;

	if (text.len > MOST)
		return false;
	for (; at < text.len && (is_digit(text.ptr[at]) || (text.ptr[at] == '.' && point == text.len)); at++) {
		if (text.ptr[at] == '.') {
			point = at;
		} else {
			value = value * 10 + (text.ptr[at] - '0');
			scale = point < text.len ? scale / 10 : scale;
		}
	}
	if (!at || at != text.len || !point || point + 1 == text.len || (point < text.len && text.len - point > 4))
		return false;
	*ret = value * scale;
	return true;
}

/* A time in nanoseconds; what is not there counts nothing. */
static bool read_time(struct str text, int64_t unit_ns, int64_t *ret)
{
	if (short_time(text, unit_ns, ret))
		return true;
	text = str_trim(text);
	*ret = 0;
	if (!text.len || str_eq(text, STR("N/A")))
		return true;
	return decimal_scaled(text, unit_ns, ret) || read_exponent(text, unit_ns, ret);
}

static bool read_times(const struct csv_reader *reader, const struct csv_row *row, struct op_row *op)
{
	const int64_t *units = reader->header.unit_ns;

	return read_time(cell(reader, row, CSV_SELF_CPU), units[CSV_SELF_CPU], &op->self_cpu_ns) &&
	       read_time(cell(reader, row, CSV_CPU_TOTAL), units[CSV_CPU_TOTAL], &op->cpu_total_ns) &&
	       read_time(cell(reader, row, CSV_SELF_DEVICE), units[CSV_SELF_DEVICE], &op->self_device_ns);
}

/* Both spellings: torch_npu's, and Python's list in lists of the user. */
static bool read_shapes(struct csv_reader *reader, struct str text, struct str *ret)
{
	*ret = STR("");
	if (!text.len || str_eq(text, STR("N/A")))
		return true;
	reader->shape.len = 0;
	if (text.ptr[0] == '[' ? shape_put_spaced(&reader->shape, text) : npu_shape_put(&reader->shape, text)) {
		*ret = buf_str(&reader->shape);
		return true;
	}
	return false;
}

/* --- events */

static void begin_table(struct csv_reader *reader)
{
	const struct event_sink *sink = reader->context.sink;
	const struct csv_header *header = &reader->header;
	unsigned has = header->kind->has;

	has |= header->at[CSV_SHAPES] >= 0 ? TABLE_HAS_SHAPES : 0;
	has |= header->at[CSV_SELF_CPU] >= 0 ? TABLE_HAS_TIMES : 0;
	has |= header->at[CSV_SELF_DEVICE] >= 0 ? TABLE_HAS_DEVICE_TIMES : 0;
	sink->table_begin(sink->ctx, reader->stream, has);
}

static void end_table(struct csv_reader *reader, bool cut)
{
	const struct event_sink *sink = reader->context.sink;
	struct table_end end = { -1, -1, -1, .cut = cut, .lacks = reader->any_shapes ? 0 : TABLE_HAS_SHAPES };

	csv_sums_emit(reader->sums, reader->stream);
	sink->table_end(sink->ctx, reader->stream, &end);
}

/* --- rows */

/* A step is a table of its own, so that it is counted as one. */
static bool count_step(struct csv_reader *reader, const struct csv_row *row)
{
	const struct event_sink *sink = reader->context.sink;
	char name[64];
	struct str step = str_trim(cell(reader, row, CSV_STEP));
	struct op_row op = { .calls = 1 };
	uint64_t number;

	if (!step.len)
		return true;
	if (!decimal_unsigned(step, &number))
		return false;
	op.name = (struct str){ name,
		(size_t)snprintf(name, sizeof(name), "ProfilerStep#%llu", (unsigned long long)number) };
	begin_table(reader);
	sink->rows(sink->ctx, reader->stream, &op, 1);
	end_table(reader, false);
	return true;
}

/* The unit that ran the task, and its launching call. */
static void count_task(struct csv_reader *reader, const struct csv_row *row, const struct op_row *op)
{
	struct dump_facts *facts = reader->context.facts;
	struct op_observation task = { .name = op->name,
		.launch = npu_task_launch(trimmed(cell(reader, row, CSV_TASK))),
		.kernel = true,
		.calls = op->calls,
		.device_ns = op->self_device_ns };

	task.where = reader->header.at[CSV_CORE] >= 0 ? npu_task_unit(trimmed(cell(reader, row, CSV_CORE)))
		     : reader->header.kind->aicpu     ? OBSERVED_ON_AICPU
						      : OBSERVED_ON_DEVICE;
	facts->device_tasks += op->calls;
	if (task.where == OBSERVED_ON_AICPU)
		npu_count_aicpu(facts, op->name, op->calls);
	tally_add(reader->tally, &task);
}

/* Adds the figures to those of the rows with the same name and shapes, which are read once. */
static bool add_up(struct csv_reader *reader, const struct csv_row *row, const struct op_row *op)
{
	struct str shapes, shapes_cell = trimmed(cell(reader, row, CSV_SHAPES));
	struct csv_sum *sum = csv_sums_find(reader->sums, op->name, shapes_cell);

	if (!sum) {
		if (!read_shapes(reader, shapes_cell, &shapes))
			return false;
		reader->any_shapes |= shapes.len > 0;
		sum = csv_sums_add(reader->sums, reader->stream, op->name, shapes_cell, shapes);
		sum->line = csv_rows_line(reader->rows);
	}
	FIGURES_ADD(sum, op);
	return true;
}

static bool count_call(struct csv_reader *reader, const struct csv_row *row)
{
	struct op_row op = { .name = trimmed(cell(reader, row, CSV_NAME)), .calls = 1 };

	if (!op.name.len ||
		(reader->header.at[CSV_CALLS] >= 0 &&
			!decimal_unsigned(str_trim(cell(reader, row, CSV_CALLS)), &op.calls)) ||
		!read_times(reader, row, &op) || !add_up(reader, row, &op))
		return false;
	if (reader->header.kind->has & TABLE_DEVICE_TASKS)
		count_task(reader, row, &op);
	return true;
}

/* A last row without its line end may lack its last bytes: the table is cut, and a name is not guessed. */
static bool is_half(const struct csv_reader *reader, const struct csv_row *row)
{
	return reader->ending && (row->broken || row->count != reader->header.count ||
					 reader->header.at[CSV_NAME] == (int)row->count - 1);
}

static void skip_row(struct csv_reader *reader, const struct csv_row *row)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < row->count && i < CSV_KEPT_COLUMNS && !row->broken; i++) {
		buf_add(&text, i ? STR(",") : STR(""));
		buf_add(&text, row->cells[i]);
	}
	dump_skip_row(reader->context.facts, csv_rows_line(reader->rows), buf_str(&text));
}

static void take_row(struct csv_reader *reader, const struct csv_row *row)
{
	struct dump_facts *facts = reader->context.facts;
	bool good = !row->broken && row->count == reader->header.count;

	if (is_half(reader, row))
		return;
	if (good)
		good = reader->header.kind->each_a_step ? count_step(reader, row) : count_call(reader, row);
	if (good)
		facts->rows++;
	else if (!reader->ending) /* else it is the cut that broke it */
		skip_row(reader, row);
}

/* --- the header */

/* NULL: no column is known. */
static void refuse_table(struct csv_reader *reader, const struct csv_header *header, uint64_t line)
{
	struct err *err = &reader->err;

	reader->failed = true;
	if (!header) {
		err_set(err, ERR_FORMAT, "no column of the CSV table is known");
		err_hint(err, "use the file as the profiler wrote it");
	} else if (header->kind->refusal) {
		err_set(err, ERR_UNREAD, "this is %s of torch_npu, %s", header->kind->file, header->kind->refusal);
		err_hint(err, "use operator_details.csv, or the whole folder that ends in _ascend_pt");
	} else {
		err_set(err, ERR_FORMAT, "the header of %s lacks the column \"%s\"", header->kind->file,
			header->missing);
		err_hint(err, "use the file as the profiler wrote it");
	}
	err_where(err, "line %llu", (unsigned long long)line);
}

/* Wanted columns, in the form of csv_rows_keep. */
static uint64_t wanted(const struct csv_header *header)
{
	uint64_t columns = 0;

	for (size_t role = 0; role < CSV_MARK; role++)
		columns |= header->at[role] >= 0 ? UINT64_C(1) << header->at[role] : 0;
	return columns;
}

static bool find_header(const struct csv_row *row, struct csv_header *ret)
{
	size_t count = row->count < CSV_KEPT_COLUMNS ? row->count : CSV_KEPT_COLUMNS;

	return !row->broken && csv_header_find(row->cells, count, ret);
}

static void take_header(struct csv_reader *reader, const struct csv_row *row)
{
	struct csv_header header;
	bool known = find_header(row, &header);

	if (!known || header.kind->refusal || header.missing) {
		refuse_table(reader, known ? &header : NULL, csv_rows_line(reader->rows));
		return;
	}
	header.count = row->count;
	reader->header = header;
	reader->context.facts->format = header.kind->format;
	reader->context.facts->tables = 1;
	if (str_starts(str_from(header.kind->format), STR("npu-")))
		device_observe(&reader->context.facts->device, DEVICE_NPU, "tables");
	csv_rows_keep(reader->rows, wanted(&header));
	reader->stream = reader->context.sink->stream(reader->context.sink->ctx, STR(""));
	if (!header.kind->each_a_step)
		begin_table(reader);
}

static void on_row(void *ctx, const struct csv_row *row)
{
	struct csv_reader *reader = ctx;

	if (reader->failed)
		return;
	if (reader->header.kind)
		take_row(reader, row);
	else
		take_header(reader, row);
}

/* --- sniffing */

struct sniffing {
	struct csv_header header;
	bool read, known;
	unsigned rows, operators;
};

static void sniff_row(void *ctx, const struct csv_row *row)
{
	struct sniffing *sniffing = ctx;
	int at = sniffing->header.at[CSV_NAME];

	if (!sniffing->read) {
		sniffing->read = true;
		sniffing->known = find_header(row, &sniffing->header);
	} else if (sniffing->known && at >= 0 && !row->broken && (size_t)at < row->count && at < CSV_KEPT_COLUMNS) {
		struct name name = name_classify(str_trim(row->cells[at]), (struct name_style){ 0 });

		sniffing->rows++;
		sniffing->operators += name.name_class == NAME_OPERATOR;
	}
}

/* Tables of the profiler by their header; "name" may head any table, so a list must also hold operators, one in four
   rows. */
static int csv_sniff(struct str head)
{
	enum { ENOUGH = 16384 };
	struct limits limits = limits_default();
	struct sniffing sniffing = { .read = false };
	struct csv_rows *rows = csv_rows_new(&limits, sniff_row, &sniffing);

	csv_rows_feed(rows, head.len > ENOUGH ? str_sub(head, 0, ENOUGH) : head);
	csv_rows_end(rows);
	csv_rows_free(rows);
	if (!sniffing.known)
		return 0;
	if (str_starts(str_from(sniffing.header.kind->format), STR("list")) &&
		(!sniffing.operators || sniffing.operators < sniffing.rows / 4))
		return 0;
	return sniffing.header.missing ? 60 : 100;
}

/* --- the format */

static void *csv_open(const struct dump_context *context)
{
	/* shape: a few times limits.csv_cell_bytes */
	struct csv_reader *reader = MEM_NEW(struct csv_reader, .context = *context, .shape = BUF_UNLIMITED,
		.sums = csv_sums_new(context->sink), .tally = tally_new(context));

	reader->rows = csv_rows_new(context->limits, on_row, reader);
	return reader;
}

static int fail_reading(const struct csv_reader *reader, struct err *err)
{
	*err = reader->err;
	return -err->code;
}

static int csv_feed(void *state, struct str chunk, struct err *err)
{
	struct csv_reader *reader = state;

	csv_rows_feed(reader->rows, chunk);
	return reader->failed ? fail_reading(reader, err) : 0;
}

/* Rows were there, and not one could be read. */
static int fail_rows(const struct dump_facts *facts, struct err *err)
{
	err_set(err, ERR_FORMAT, "none of the rows of the table can be read");
	err_where(err, "line %llu", (unsigned long long)facts->samples[0].line);
	return err_hint(err, "their cells do not fit the header; use the file as the profiler wrote it");
}

static int csv_finish(void *state, struct err *err)
{
	struct csv_reader *reader = state;
	struct dump_facts *facts = reader->context.facts;
	bool cut;

	reader->ending = true;
	cut = csv_rows_end(reader->rows);
	if (!reader->header.kind && !reader->failed)
		refuse_table(reader, NULL, 1);
	if (reader->failed)
		return fail_reading(reader, err);
	facts->encoding = decoder_encoding(csv_rows_decoded(reader->rows));
	facts->cut_tables = cut;
	facts->empty_tables = !facts->rows;
	if (!reader->header.kind->each_a_step)
		end_table(reader, cut);
	tally_emit(reader->tally);
	return facts->skipped_rows && !facts->rows ? fail_rows(facts, err) : 0;
}

static void csv_close(void *state)
{
	struct csv_reader *reader = state;

	csv_rows_free(reader->rows);
	csv_sums_free(reader->sums);
	tally_free(reader->tally);
	buf_clear(&reader->shape);
	free(reader);
}

const struct dump_format dump_csv = { "csv", csv_sniff, csv_open, csv_feed, csv_finish, csv_close };
