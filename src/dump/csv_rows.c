#include "dump/csv_rows.h"

#include <csv.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"

enum { KEPT_COLUMNS = 64 };

struct csv_rows {
	struct csv_parser parser;
	uint64_t max_columns, max_cell_bytes;
	void (*take)(void *ctx, const struct csv_row *row);
	void *ctx;
	uint64_t keep;
	struct buf text;            /* the kept cells, a comma after each */
	size_t ends[KEPT_COLUMNS];  /* of the cells in text, before the comma */
	struct str cells[KEPT_COLUMNS];
	size_t count;
	bool broken;
	bool too_long;              /* some cell of the row is */
	bool skipping;              /* the rest of a line whose cell was too long */
	bool open;                  /* the text so far ends without an LF */
	uint64_t line, row_line;
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
}

struct csv_rows *csv_rows_new(const struct limits *limits, void (*take)(void *ctx, const struct csv_row *row), void *ctx)
{
	struct csv_rows *rows = mem_zalloc(sizeof(*rows));

	start_parser(rows);
	rows->max_columns = limits->csv_columns;
	rows->max_cell_bytes = limits->csv_cell_bytes;
	rows->take = take;
	rows->ctx = ctx;
	rows->keep = UINT64_MAX;
	rows->text = BUF_INIT(limits->csv_cell_bytes * 2 + KEPT_COLUMNS);
	rows->decoded = BUF_INIT(SIZE_MAX / 2); /* four times the text at most */
	rows->decoder = decoder_new();
	rows->line = 1;
	return rows;
}

void csv_rows_free(struct csv_rows *rows)
{
	if (!rows)
		return;
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
	size_t kept = rows->count < KEPT_COLUMNS ? rows->count : KEPT_COLUMNS, from = 0;
	struct str text = buf_str(&rows->text);
	struct csv_row row = { .cells = rows->cells, .count = rows->count, .line = rows->row_line,
		.broken = rows->broken || rows->text.full };

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
	row.text = row.broken ? STR("") : str_chop(text, text.len > 0);
	rows->take(rows->ctx, &row);
	rows->count = 0;
	rows->text.len = 0;
	rows->broken = rows->too_long = false;
}

/* --- what libcsv tells */

static void on_cell(void *cell, size_t len, void *ctx)
{
	struct csv_rows *rows = ctx;
	size_t column;

	rows->too_long |= len > rows->max_cell_bytes;
	if (rows->too_long) /* nothing more of this line */
		return;
	column = rows->count++;
	rows->broken |= column >= rows->max_columns;
	if (column >= KEPT_COLUMNS)
		return;
	if (rows->keep & UINT64_C(1) << column)
		buf_add(&rows->text, (struct str){ cell, len });
	rows->ends[column] = rows->text.len;
	buf_byte(&rows->text, ',');
}

static void on_row(int end, void *ctx)
{
	struct csv_rows *rows = ctx;

	(void)end;
	if (rows->count && !rows->too_long)
		tell_row(rows);
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

static void feed_part(struct csv_rows *rows, struct str part, bool line_ends)
{
	if (rows->skipping) {
		rows->skipping = !line_ends;
		return;
	}
	if (!rows->count && !rows->parser.pstate) /* between rows */
		rows->row_line = rows->line;
	csv_parse(&rows->parser, part.ptr, part.len, on_cell, on_row, rows);
	if (rows->too_long || rows->parser.entry_pos > rows->max_cell_bytes)
		give_up_row(rows, line_ends);
}

void csv_rows_feed(struct csv_rows *rows, struct str chunk)
{
	while (chunk.len) {
		const char *lf = memchr(chunk.ptr, '\n', chunk.len);
		size_t len = lf ? (size_t)(lf - chunk.ptr) + 1 : chunk.len;

		feed_part(rows, str_sub(chunk, 0, len), lf);
		rows->line += lf != NULL;
		rows->open = !lf;
		chunk = str_skip(chunk, len);
	}
}

bool csv_rows_end(struct csv_rows *rows)
{
	bool inside = rows->open || rows->parser.pstate;

	csv_fini(&rows->parser, on_cell, on_row, rows);
	return inside;
}

const struct decoder_facts *csv_rows_decoded(const struct csv_rows *rows)
{
	return decoder_facts(rows->decoder);
}
