#include "import/reported.h"

#include <csv.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/date.h"
#include "base/value/utf8.h"
#include "import/input.h"
#include "import/table.h"
#include "op/schema.h"
#include "opdb/model/release.h"
#include "opdb/model/status.h"

enum {
	COLUMNS = 11,
	REQUIRED_COLUMNS = 8,
	KEPT_COLUMNS = 12,
	CELL_BYTES = 16 * 1024,
	PATH_BYTES = 4096,
	REPORTS = 1000000
};

enum column {
	COLUMN_TARGET,
	COLUMN_TORCH,
	COLUMN_PLUGIN,
	COLUMN_OP,
	COLUMN_OBSERVED,
	COLUMN_DETAIL,
	COLUMN_SOURCE,
	COLUMN_DATE,
	COLUMN_CHIP,
	COLUMN_DTYPE,
	COLUMN_CONFIDENCE
};

static const char file_name[] = "reported.tsv";
#define COLUMN_NAMES "target torch_version plugin_version op observed detail source date chip dtype confidence"
#define KEPT_NAMES COLUMN_NAMES " condition"

struct report {
	struct str cells[KEPT_COLUMNS]; /* the condition of a report is written by hand, in the table alone */
	size_t line;                    /* 0: of reported.tsv */
};

struct reader {
	struct input input;
	struct arena arena;
	struct csv_parser parser;
	size_t line;       /* that is being parsed */
	size_t first_line; /* of the row */
	struct report row;
	size_t width; /* cells of every row: chip, dtype and confidence may be left out */
	size_t count; /* cells of the row */
	bool header_read;
	MEM_LIST(struct report) reports;
	size_t known; /* rows of reported.tsv, at the beginning of reports */
	int code;
	struct err *err;
};

/* Put text on one line, separated by single blanks. */
static struct str one_line(struct arena *arena, struct str text)
{
	CLEANUP(buf_clear) struct buf line = BUF_INIT(CELL_BYTES);
	bool blank = false;

	for (size_t i = 0; i < text.len; i++) {
		bool separates = memchr(" \t\r\n", text.ptr[i], 4) != NULL;

		if (separates) {
			blank = line.len > 0;
			continue;
		}
		if (blank)
			buf_byte(&line, ' ');
		blank = false;
		buf_byte(&line, text.ptr[i]);
	}
	return arena_keep(arena, buf_str(&line));
}

/* An error of the row, which begins at first_line. */
#define row_error(reader, ...) input_error(&(reader)->input, (reader)->first_line, (reader)->err, __VA_ARGS__)

static void take_cell(void *bytes, size_t len, void *context)
{
	struct reader *reader = context;

	if (!reader->count)
		reader->first_line = reader->line;
	if (len > CELL_BYTES - 1 && !reader->code)
		reader->code = input_error(
			&reader->input, reader->line, reader->err, "a cell is longer than %d bytes", CELL_BYTES - 1);
	if (reader->count < COLUMNS && !reader->code)
		reader->row.cells[reader->count] = one_line(&reader->arena, (struct str){ bytes, len });
	reader->count++;
}

static int check_header(struct reader *reader)
{
	struct str rest = STR(COLUMN_NAMES), name = { 0 };

	for (size_t i = 0; str_cut(&rest, ' ', &name) && (i < REQUIRED_COLUMNS || i < reader->count); i++) {
		if ((reader->count != COLUMNS && reader->count != REQUIRED_COLUMNS) ||
			!str_eq(reader->row.cells[i], name))
			return input_error(&reader->input, 1, reader->err, "the first line must name the columns %s",
				COLUMN_NAMES);
	}
	reader->width = reader->count;
	for (size_t i = reader->width; i < KEPT_COLUMNS; i++)
		reader->row.cells[i] = STR("");
	reader->header_read = true;
	return 0;
}

/* "namespace::name.overload" */
static bool is_operator(struct str text)
{
	size_t colons = str_find(text, STR("::"));

	return colons != STR_NONE && schema_is_name(str_sub(text, 0, colons)) &&
	       schema_is_name(str_skip(text, colons + 2)) && !memchr(text.ptr, '.', colons);
}

static int check_words(struct reader *reader)
{
	const struct str *cells = reader->row.cells;
	enum target_kind target;
	unsigned observed;

	if (!target_kind_from(cells[COLUMN_TARGET], &target))
		return row_error(reader, "target \"%s\" is neither npu nor musa", shown(cells[COLUMN_TARGET]).text);
	if (!word_find(&observed_words, cells[COLUMN_OBSERVED], &observed))
		return row_error(reader,
			"observed \"%s\" is none of native, cpu_fallback, not_implemented, dtype_limited and "
			"dynamic_shape",
			shown(cells[COLUMN_OBSERVED]).text);
	if (!is_operator(cells[COLUMN_OP]))
		return row_error(reader, "\"%s\" is not an operator with its namespace, such as aten::add",
			shown(cells[COLUMN_OP]).text);
	if (cells[COLUMN_DATE].len && !date_has_shape(cells[COLUMN_DATE]))
		return row_error(reader, "\"%s\" is not a date (YYYY-MM-DD)", shown(cells[COLUMN_DATE]).text);
	if (!cells[COLUMN_SOURCE].len)
		return row_error(reader, "a report needs its source");
	return 0;
}

static int check_cells(struct reader *reader)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		struct str cell = reader->row.cells[i];

		if (str_eq(cell, STR(".")))
			return row_error(reader, "a cell of \".\" alone would read as empty");
		if (ANY(at, cell.len, (unsigned char)cell.ptr[at] < 0x20 || cell.ptr[at] == 0x7f))
			return row_error(reader, "a cell has a control character");
	}
	return check_words(reader);
}

static void take_row(int end UNUSED, void *context)
{
	struct reader *reader = context;
	bool is_header = !reader->header_read;

	if (!reader->code && is_header)
		reader->code = check_header(reader);
	else if (!reader->code && reader->count != reader->width)
		reader->code = row_error(reader, "expected %zu cells, found %zu", reader->width, reader->count);
	else if (!reader->code && reader->reports.count >= REPORTS)
		reader->code = row_error(reader, "more than %d reports", REPORTS);
	else if (!reader->code)
		reader->code = check_cells(reader);
	if (!reader->code && !is_header) {
		reader->row.line = reader->first_line;
		MEM_PUSH(&reader->reports, reader->row);
	}
	reader->count = 0;
}

/* Line by line, so that the parser's rows have lines. */
static int parse_lines(struct reader *reader)
{
	struct str rest = reader->input.text;

	if (str_starts(rest, STR("\xef\xbb\xbf")))
		rest = str_skip(rest, 3);
	while (rest.len && !reader->code) {
		size_t end = str_find(rest, STR("\n"));
		size_t len = end == STR_NONE ? rest.len : end + 1;

		reader->line++;
		if (csv_parse(&reader->parser, rest.ptr, len, take_cell, take_row, reader) != len && !reader->code)
			reader->code = input_error(&reader->input, reader->line, reader->err, "not CSV: %s",
				csv_strerror(csv_error(&reader->parser)));
		rest = str_skip(rest, len);
	}
	if (!reader->code && csv_fini(&reader->parser, take_cell, take_row, reader))
		reader->code = row_error(reader, "a quoted cell is not closed");
	if (!reader->code && !reader->header_read)
		reader->code = input_error(&reader->input, 0, reader->err, "the file is empty");
	return reader->code;
}

/* --- the table */

static int report_cmp(const struct report *a, const struct report *b)
{
	int order = 0;

	for (size_t i = 0; i < COLUMNS && !order; i++)
		order = str_cmp(a->cells[i], b->cells[i]);
	return order;
}

/* A row of the table before the same one of the file; those of the file in its order, of the table by condition. */
static int by_cells(const void *a, const void *b)
{
	const struct report *left = a, *right = b;
	int order = report_cmp(left, right);

	return order ? order
		     : (left->line > right->line) - (left->line < right->line)
				      ?: str_cmp(left->cells[COLUMNS], right->cells[COLUMNS]);
}

static int read_known(struct reader *reader, const char *dir, struct text_file *ret)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(PATH_BYTES);
	CLEANUP(table_clear) struct table table = { 0 };
	int code;

	buf_printf(&path, "%s/%s", dir, file_name);
	*ret = (struct text_file){ .text = STR("") };
	if (access(buf_text(&path), F_OK) && errno == ENOENT)
		return 0;
	code = text_file_load(dir, file_name, &reader->arena, ret, reader->err);
	if (!code)
		code = table_read(&table, ret, reader->err);
	for (size_t i = 0; i < table.count && !code; i++) {
		struct report report = { 0 };

		memcpy(report.cells, table.items[i].cells, sizeof(report.cells));
		MEM_PUSH(&reader->reports, report);
	}
	reader->known = table.count;
	return code;
}

/* Appends the table. A row that the file has twice is an error; one that the table has stays as it is. */
static int write_reports(struct reader *reader, struct buf *text, size_t *ret_there)
{
	fact_put_header(text, STR(KEPT_NAMES));
	qsort(reader->reports.items, reader->reports.count, sizeof(reader->reports.items[0]), by_cells);
	for (size_t i = 0; i < reader->reports.count; i++) {
		const struct report *report = &reader->reports.items[i], *before = i ? report - 1 : NULL;
		bool same = before && report->line && report_cmp(report, before) == 0;

		if (same && before->line)
			return input_error(&reader->input, report->line, reader->err, "repeats the report of line %zu",
				before->line);
		if (same) {
			++*ret_there;
			continue;
		}
		fact_put_cells(text, report->cells, KEPT_COLUMNS);
		buf_byte(text, '\n');
	}
	return 0;
}

static int work_out(struct reader *reader, const char *dir, struct buf *report)
{
	struct changes changes = { 0 };
	struct text_file before;
	size_t there = 0, given;
	int code = read_known(reader, dir, &before);

	given = reader->reports.count;
	if (!code)
		code = parse_lines(reader);
	given = reader->reports.count - given;
	if (!code)
		code = write_reports(reader, changes_add(&changes, file_name, before.text), &there);
	if (!code)
		code = changes_write(&changes, dir, reader->err);
	changes_clear(&changes);
	if (!code)
		buf_printf(report, "%zu reports: %zu new, %zu there already; %s has %zu now\n", given, given - there,
			there, file_name, reader->known + given - there);
	return code;
}

int import_reported(const struct import_options *options, const char *path, struct buf *report, struct err *err)
{
	struct reader reader = { .arena = ARENA_INIT(ARENA_UNLIMITED), .err = err };
	int code = input_read(path, &reader.arena, &reader.input, err);

	if (!code && csv_init(&reader.parser, CSV_STRICT | CSV_STRICT_FINI))
		code = input_full(&reader.input, err);
	if (code) {
		arena_clear(&reader.arena);
		return code;
	}
	code = work_out(&reader, options->opdb_dir, report);
	csv_free(&reader.parser);
	free(reader.reports.items);
	arena_clear(&reader.arena);
	return code;
}
