#include "report/doc/sheet.h"

#include <inttypes.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "record/kinds.h"
#include "report/doc/csv_cell.h"
#include "report/doc/html_page.h"

enum { NO_WRAP = 1 << 20, JSON_DEPTH = 2 };

bool sheet_is_format(struct str format)
{
	return str_eq(format, STR("csv")) || str_eq(format, STR("md")) || str_eq(format, STR("html"));
}

/* --- cells */

/* The text of a field: words joined by blanks. */
static void sheet_put_cell(struct buf *out, const struct field *field, const void *row)
{
	const void *member = field_of(field, row);
	const struct kind *kind = field->kind;
	size_t count = kind == &kind_texts || kind == &kind_numbers ? field_count(field, row) : 0;

	if (kind->type == MEMBER_TEXT)
		buf_add(out, *(const struct str *)member);
	else if (kind->type == MEMBER_BOOL)
		buf_add(out, *(const bool *)member ? STR("true") : STR("false"));
	else if (kind->type == MEMBER_U32)
		decimal_put(out, *(const uint32_t *)member, 0);
	else if (kind->type == MEMBER_I64)
		decimal_put(out, *(const int64_t *)member, kind->decimals);
	else if (kind == &kind_enum)
		buf_add(out, word_for(field->words, *(const unsigned *)member));
	else if (kind == &kind_flags)
		words_put(out, field->words, *(const unsigned *)member, " ");
	for (size_t i = 0; i < count; i++) {
		buf_add(out, i ? STR(" ") : STR(""));
		if (kind == &kind_texts)
			buf_add(out, (*(const struct str *const *)member)[i]);
		else
			decimal_put(out, (*(const int64_t *const *)member)[i], 0);
	}
}

/* --- heads */

static size_t field_total(const struct record *record)
{
	size_t count = 0;

	while (record->fields[count].key)
		count++;
	return count;
}

static struct str head_of(struct sheet *sheet, const char *key)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	if (!sheet->shape->capitals || sheet->doc.format != DOC_TEXT)
		return str_from(key);
	for (; *key; key++)
		buf_byte(&text, *key >= 'a' && *key <= 'z' ? (char)(*key - 'a' + 'A') : *key);
	return arena_keep(&sheet->doc.arena, buf_str(&text));
}

/* In text the last column is never cut. */
static void open_table(struct sheet *sheet)
{
	const struct field *fields = sheet->shape->record->fields;
	const unsigned char *widths = sheet->shape->widths;
	size_t count = field_total(sheet->shape->record), last = 0;
	struct doc_column *columns = arena_alloc(&sheet->doc.arena, count * sizeof(columns[0]));

	for (size_t i = 0; i < count; i++) {
		bool in_text = widths && widths[i];

		columns[i] = (struct doc_column){ .title = head_of(sheet, fields[i].key),
			.width = widths ? widths[i] : 0,
			.gap = i && in_text,
			.formats = in_text ? 0 : DOC_HTML | DOC_MD };
		last = in_text ? i : last;
	}
	columns[last].fit = COLUMN_WRAP;
	doc_table(&sheet->doc, &(struct doc_table){ .columns = columns, .count = count });
}

static void put_heads(struct sheet *sheet)
{
	const struct field *fields = sheet->shape->record->fields;

	if (sheet->form == SHEET_JSON) {
		jsonw_key_list(&sheet->json, sheet->shape->list);
		return;
	}
	if (sheet->form == SHEET_DOCUMENT) {
		open_table(sheet);
		return;
	}
	for (size_t i = 0; fields[i].key; i++)
		buf_printf(sheet->out, "%s%s", i ? "," : "", fields[i].key);
	buf_add(sheet->out, STR("\r\n"));
}

/* --- tables */

void sheet_begin(struct sheet *sheet, const struct sheet_shape *shape, struct str format,
	const struct render_options *options, struct buf *out)
{
	*sheet = (struct sheet){ .shape = shape, .out = out };
	if (str_eq(format, STR("json"))) {
		sheet->form = SHEET_JSON;
		sheet->json = jsonw_start(out, JSON_DEPTH);
		jsonw_object(&sheet->json);
	} else if (!str_eq(format, STR("csv"))) {
		sheet->form = SHEET_DOCUMENT;
		sheet->doc = answer_doc(format, options, shape->title);
		if (sheet->doc.format == DOC_TEXT)
			sheet->doc.options.width = NO_WRAP;
	}
	put_heads(sheet);
}

static void put_csv_row(struct sheet *sheet, const void *row)
{
	const struct field *fields = sheet->shape->record->fields;
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; fields[i].key; i++) {
		buf_reset(&text);
		sheet_put_cell(&text, &fields[i], row);
		buf_add(sheet->out, i ? STR(",") : STR(""));
		if (fields[i].kind->type == MEMBER_I64 || fields[i].kind->type == MEMBER_U32)
			buf_add(sheet->out, buf_str(&text));
		else
			csv_put_text(sheet->out, buf_str(&text));
	}
	buf_add(sheet->out, STR("\r\n"));
}

void sheet_row(struct sheet *sheet, const void *row)
{
	struct doc *doc = &sheet->doc;

	if (sheet->form == SHEET_JSON) {
		record_put(&sheet->json, sheet->shape->record, row);
		return;
	}
	if (sheet->form == SHEET_CSV) {
		put_csv_row(sheet, row);
		return;
	}
	doc_row(doc);
	for (const struct field *field = sheet->shape->record->fields; field->key; field++) {
		CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

		sheet_put_cell(&text, field, row);
		doc_cell_text(doc, arena_keep(&doc->arena, buf_str(&text)));
	}
	doc_close(doc);
}

void sheet_rows(struct sheet *sheet, const void *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sheet_row(sheet, (const char *)rows + i * sheet->shape->record->bytes);
}

static void close_table(struct sheet *sheet)
{
	if (sheet->form == SHEET_JSON)
		jsonw_list_end(&sheet->json);
	if (sheet->form != SHEET_DOCUMENT)
		return;
	doc_close(&sheet->doc);
	if (sheet->has_section)
		doc_close(&sheet->doc);
}

void sheet_next(struct sheet *sheet, const struct sheet_shape *shape)
{
	close_table(sheet);
	if (sheet->form == SHEET_CSV)
		buf_add(sheet->out, STR("\r\n"));
	if (sheet->form == SHEET_DOCUMENT)
		doc_section(&sheet->doc, shape->title);
	sheet->has_section = true;
	sheet->shape = shape;
	put_heads(sheet);
}

void sheet_end(struct sheet *sheet)
{
	close_table(sheet);
	if (sheet->form == SHEET_JSON)
		jsonw_object_end(&sheet->json);
	else if (sheet->form == SHEET_DOCUMENT)
		answer_doc_put(&sheet->doc, sheet->shape->title, sheet->out);
}
