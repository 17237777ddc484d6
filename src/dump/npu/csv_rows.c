#include "dump/npu/csv_rows.h"

#include <csv.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/view/scan.h"
#include "dump/npu/csv_cut.h"

struct csv_rows {
	struct csv_parser parser;
	uint64_t max_columns, max_cell_bytes;
	void (*take)(void *ctx, const struct csv_row *row);
	void *ctx;
	uint64_t keep;
	struct buf text;               /* the kept cells, a comma after each */
	size_t ends[CSV_KEPT_COLUMNS]; /* of the cells in text, before the comma */
	struct str cells[CSV_KEPT_COLUMNS];
	size_t count;
	bool broken;
	bool too_long;          /* some cell of the row is */
	bool skipping;          /* the rest of a line whose cell was too long */
	bool open;              /* the text so far ends without an LF */
	uint64_t line;          /* at counted_at */
	const char *counted_at; /* where in the chunk lines were counted up to */
	const char *row_at;     /* where in the chunk the current row starts; NULL: it was given to libcsv */
	uint64_t row_line;      /* of that one */
	bool library;           /* every row is given to it */
	bool ascii;             /* the chunk is */
	struct decoder *decoder;
	struct buf decoded;
};

/* Memory of libcsv, bounded by the limit on cells. */
static void *resize(void *memory, size_t bytes)
{
	return mem_resize(memory, bytes, 1);
}

static void start_parser(struct csv_rows *rows)
{
	csv_init(&rows->parser, 0);
	csv_set_realloc_func(&rows->parser, resize);
	csv_set_blk_size(&rows->parser, 16 * 1024); /* it asks for 128 bytes more of a long cell each time by default */
}

struct csv_rows *csv_rows_new(
	const struct limits *limits, void (*take)(void *ctx, const struct csv_row *row), void *ctx)
{
	/* decoded: four times the text at most */
	struct csv_rows *rows = MEM_NEW(struct csv_rows, .max_columns = limits->csv_columns,
		.max_cell_bytes = limits->csv_cell_bytes, .take = take, .ctx = ctx, .keep = UINT64_MAX,
		.text = BUF_INIT(limits->csv_cell_bytes * 2 + CSV_KEPT_COLUMNS), .decoded = BUF_UNLIMITED,
		.decoder = decoder_new(), .line = 1);

	start_parser(rows);
	return rows;
}

void csv_rows_free(struct csv_rows *rows)
{
	csv_free(&rows->parser);
	buf_clear(&rows->text);
	buf_clear(&rows->decoded);
	decoder_free(rows->decoder);
	free(rows);
}

void csv_rows_keep(struct csv_rows *rows, uint64_t columns)
{
	rows->keep = columns;
}

/* --- a row that has ended */

/* Decodes the cells one by one into a text of their own. */
static void decode_cells(struct csv_rows *rows, size_t kept)
{
	size_t from = 0;

	rows->decoded.len = 0;
	for (size_t i = 0; i < kept; i++) {
		struct str cell = str_sub(buf_str(&rows->text), from, rows->ends[i]);

		from = rows->ends[i] + 1;
		buf_add(&rows->decoded, utf8_is_ascii(cell) ? cell : decode(rows->decoder, cell));
		rows->ends[i] = rows->decoded.len;
		buf_byte(&rows->decoded, ',');
	}
}

static void tell_row(struct csv_rows *rows)
{
	size_t kept = rows->count < CSV_KEPT_COLUMNS ? rows->count : CSV_KEPT_COLUMNS, from = 0;
	struct str text = buf_str(&rows->text);
	struct csv_row row = { .cells = rows->cells, .count = rows->count, .broken = rows->broken || rows->text.full };

	rows->text.full = false;
	if (row.broken)
		kept = 0;
	if (kept && !utf8_is_ascii(text)) {
		decode_cells(rows, kept);
		text = buf_str(&rows->decoded);
	}
	for (size_t i = 0; i < kept; i++) {
		rows->cells[i] = str_sub(text, from, rows->ends[i]);
		from = rows->ends[i] + 1;
	}
	rows->take(rows->ctx, &row);
	rows->count = 0;
	rows->text.len = 0;
	rows->broken = rows->too_long = false;
}

/* --- rows from libcsv */

static void on_cell(void *cell, size_t len, void *ctx)
{
	struct csv_rows *rows = ctx;
	size_t column;

	rows->too_long |= len > rows->max_cell_bytes;
	if (rows->too_long) /* nothing more of this line */
		return;
	column = rows->count++;
	rows->broken |= column >= rows->max_columns;
	if (column >= CSV_KEPT_COLUMNS)
		return;
	if (rows->keep & UINT64_C(1) << column)
		buf_add(&rows->text, (struct str){ cell, len });
	rows->ends[column] = rows->text.len;
	buf_byte(&rows->text, ',');
}

static void on_row(int end UNUSED, void *ctx)
{
	struct csv_rows *rows = ctx;

	if (rows->count && !rows->too_long)
		tell_row(rows);
	rows->row_line = rows->line; /* of a row behind a lone CR */
}

/* --- feeding */

/* A cell over the limit ends its row: libcsv starts afresh on the next line. */
static void give_up_row(struct csv_rows *rows, bool line_ends)
{
	csv_free(&rows->parser);
	start_parser(rows);
	rows->skipping = !line_ends;
	rows->broken = true;
	tell_row(rows);
}

static bool between_rows(const struct csv_rows *rows)
{
	return !rows->count && !rows->parser.pstate && !rows->skipping;
}

/* Counts the lines up to a place in the chunk. */
static void count_to(struct csv_rows *rows, const char *at)
{
	rows->line += scan_count((struct str){ rows->counted_at, (size_t)(at - rows->counted_at) }, '\n');
	rows->counted_at = at;
}

static void feed_part(struct csv_rows *rows, struct str part, bool line_ends)
{
	if (rows->skipping) {
		rows->skipping = !line_ends;
		return;
	}
	count_to(rows, part.ptr);
	if (between_rows(rows))
		rows->row_line = rows->line;
	rows->row_at = NULL;
	csv_parse(&rows->parser, part.ptr, part.len, on_cell, on_row, rows);
	if (rows->too_long || rows->parser.entry_pos > rows->max_cell_bytes)
		give_up_row(rows, line_ends);
}

/* Gives the first line to libcsv, or what there is of it. */
static struct str feed_line(struct csv_rows *rows, struct str chunk)
{
	const char *lf = memchr(chunk.ptr, '\n', chunk.len);
	size_t len = lf ? (size_t)(lf - chunk.ptr) + 1 : chunk.len;

	feed_part(rows, str_sub(chunk, 0, len), lf);
	return str_skip(chunk, len);
}

/* --- rows without libcsv */

/* Tells the row that the chunk starts with and returns how long it is; 0 when it is left to libcsv. */
static size_t take_simple(struct csv_rows *rows, struct str chunk)
{
	struct csv_cut cut = { .cells = rows->cells,
		.most = CSV_KEPT_COLUMNS,
		.keep = rows->keep,
		.max_cell_bytes = rows->max_cell_bytes };
	size_t len = csv_cut(&cut, chunk);
	struct csv_row row = { .cells = rows->cells, .count = cut.count };
	struct str text = str_sub(chunk, 0, len);

	if (!len || row.count > rows->max_columns || (!rows->ascii && !utf8_is_ascii(text)))
		return 0;
	rows->row_at = chunk.ptr;
	if (row.count > 1 || !ALL(i, text.len, memchr(" \t\r\n", text.ptr[i], 4)))
		rows->take(rows->ctx, &row);
	return len;
}

void csv_rows_feed(struct csv_rows *rows, struct str chunk)
{
	rows->counted_at = chunk.ptr;
	rows->ascii = utf8_is_ascii(chunk);
	rows->open = chunk.len ? chunk.ptr[chunk.len - 1] != '\n' : rows->open;
	while (chunk.len) {
		size_t len = between_rows(rows) && !rows->library ? take_simple(rows, chunk) : 0;

		chunk = len ? str_skip(chunk, len) : feed_line(rows, chunk);
	}
	count_to(rows, chunk.ptr);
}

uint64_t csv_rows_line(struct csv_rows *rows)
{
	if (rows->row_at) {
		count_to(rows, rows->row_at);
		return rows->line;
	}
	return rows->row_line;
}

void csv_rows_by_library(struct csv_rows *rows)
{
	rows->library = true;
}

bool csv_rows_end(struct csv_rows *rows)
{
	bool inside = rows->open || rows->parser.pstate;

	rows->row_at = NULL;
	csv_fini(&rows->parser, on_cell, on_row, rows);
	return inside;
}

const struct decoder_facts *csv_rows_decoded(const struct csv_rows *rows)
{
	return decoder_facts(rows->decoder);
}
