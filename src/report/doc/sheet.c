#include "report/doc/sheet.h"

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "report/doc/csv_cell.h"
#include "report/doc/doc_put.h"
#include "report/doc/html_page.h"

bool sheet_is_format(struct str format)
{
	return str_eq(format, STR("csv")) || str_eq(format, STR("md")) || str_eq(format, STR("html"));
}

static void begin_document(struct sheet *sheet, struct str format, const struct render_options *options)
{
	struct doc *doc = &sheet->doc;

	*doc = doc_new(doc_format_of_name(format), options);
	if (doc_is(doc, DOC_HTML)) {
		doc_title(doc, sheet->shape->title);
		doc_close(doc);
	}
}

static void put_heads(struct sheet *sheet)
{
	struct doc *doc = &sheet->doc;
	struct doc_column *columns;

	if (sheet->is_csv) {
		for (size_t i = 0; i < sheet->shape->count; i++)
			buf_printf(sheet->out, "%s%s", i ? "," : "", sheet->shape->heads[i]);
		buf_add(sheet->out, STR("\r\n"));
		return;
	}
	columns = arena_alloc(&doc->arena, sheet->shape->count * sizeof(columns[0]));
	for (size_t i = 0; i < sheet->shape->count; i++)
		columns[i] = (struct doc_column){ .title = str_from(sheet->shape->heads[i]) };
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = sheet->shape->count });
}

void sheet_begin(struct sheet *sheet, const struct sheet_shape *shape, struct str format,
	const struct render_options *options, struct buf *out)
{
	*sheet = (struct sheet){ .shape = shape, .out = out, .is_csv = str_eq(format, STR("csv")) };
	if (!sheet->is_csv)
		begin_document(sheet, format, options);
	put_heads(sheet);
}

/* Whether the row ends behind the cell. */
static bool next_column(struct sheet *sheet)
{
	sheet->at = (sheet->at + 1) % sheet->shape->count;
	return !sheet->at;
}

static void put_cell(struct sheet *sheet, struct str text, bool is_number)
{
	if (!sheet->is_csv) {
		if (!sheet->at)
			doc_row(&sheet->doc);
		doc_cell_text(&sheet->doc, arena_keep(&sheet->doc.arena, text));
		if (next_column(sheet))
			doc_close(&sheet->doc);
		return;
	}
	buf_add(sheet->out, sheet->at ? STR(",") : STR(""));
	(is_number ? buf_add : csv_put_text)(sheet->out, text);
	buf_add(sheet->out, next_column(sheet) ? STR("\r\n") : STR(""));
}

void sheet_cell(struct sheet *sheet, struct str text)
{
	put_cell(sheet, text, false);
}

void sheet_put_cells(struct sheet *sheet, const struct str *cells, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sheet_cell(sheet, cells[i]);
}

void sheet_number(struct sheet *sheet, int64_t value, unsigned places)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	decimal_put(&text, value, places);
	put_cell(sheet, buf_str(&text), true);
}

static void close_table(struct sheet *sheet)
{
	doc_close(&sheet->doc);
	if (sheet->has_section)
		doc_close(&sheet->doc);
}

void sheet_next(struct sheet *sheet, const struct sheet_shape *shape)
{
	if (sheet->is_csv) {
		buf_add(sheet->out, STR("\r\n"));
	} else {
		close_table(sheet);
		doc_section(&sheet->doc, shape->title);
	}
	sheet->has_section = true;
	sheet->shape = shape;
	put_heads(sheet);
}

void sheet_end(struct sheet *sheet)
{
	if (sheet->is_csv)
		return;
	close_table(sheet);
	if (doc_is(&sheet->doc, DOC_HTML))
		html_put_page(&sheet->doc, NULL, sheet->shape->title, sheet->out);
	else
		doc_put(&sheet->doc, sheet->out);
}
