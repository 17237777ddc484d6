#include "import/facts.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "opdb/build/tables.h"
#include "opdb/text/fact_text.h"

enum { WORD_BITS = 64 };

int text_file_load(const char *dir, const char *name, struct arena *arena, struct text_file *ret, struct err *err)
{
	*ret = (struct text_file){ .name = str_from(name), .columns = fact_table_columns(name), .arena = arena };
	return fact_text_load_file(dir, ret->name, arena, &ret->text, err);
}

void fact_rows_clear(struct fact_rows *rows)
{
	free(rows->items);
	map_clear(&rows->map);
	*rows = (struct fact_rows){ 0 };
}

bool fact_row_holds(const struct fact_row *row, unsigned place)
{
	return row->places[place / WORD_BITS] >> place % WORD_BITS & 1;
}

static void set_place(struct fact_row *row, unsigned place)
{
	row->places[place / WORD_BITS] |= (uint64_t)1 << place % WORD_BITS;
}

static uint64_t hash_cells(const struct fact_rows *rows, const struct str *cells)
{
	uint64_t hash = hash_seed();

	for (size_t i = 0; i < rows->width; i++)
		hash = hash_str(hash, cells[i]);
	return hash;
}

static bool same_cells(const struct fact_rows *rows, const struct str *a, const struct str *b)
{
	return ALL(i, rows->width, str_eq(a[i], b[i]));
}

/* Returns the row with these cells, a new one if it is missing. */
static struct fact_row *row_of(struct fact_rows *rows, const struct str *cells)
{
	uint64_t hash = hash_cells(rows, cells);
	struct map_cursor at = map_start(&rows->map, hash);
	struct fact_row row = { 0 };

	while (map_next(&rows->map, &at)) {
		if (same_cells(rows, rows->items[at.index].cells, cells))
			return &rows->items[at.index];
	}
	row.cells = arena_alloc(rows->arena, rows->width * sizeof(row.cells[0]));
	for (size_t i = 0; i < rows->width; i++)
		row.cells[i] = arena_keep(rows->arena, cells[i]);
	map_add(&rows->map, hash, (uint32_t)rows->count);
	MEM_PUSH(rows, row);
	return &rows->items[rows->count - 1];
}

bool fact_rows_add(struct fact_rows *rows, const struct str *cells, unsigned place)
{
	struct fact_row *row = row_of(rows, cells);
	bool is_new = !fact_row_holds(row, place);

	set_place(row, place);
	return is_new;
}

static int read_spans(const struct axis *axis, const struct tsv *tsv, struct fact_row *row, struct err *err)
{
	struct str rest = tsv->cells[tsv->count - 1], name = { 0 };
	enum span_result result;
	struct span span;

	while ((result = axis_span(axis, &rest, &span, &name)) == SPAN_OK) {
		for (unsigned place = span.first; place <= span.last; place++)
			set_place(row, place);
	}
	if (result == SPAN_END)
		return 0;
	return tsv_error(tsv, err, "\"%.*s\" in the span is %s", STR_ARG(name),
		result == SPAN_UNKNOWN ? "unknown" : "before the beginning of the span");
}

int fact_rows_read(
	struct fact_rows *rows, const struct text_file *file, size_t keys, const struct axis *axis, struct err *err)
{
	struct tsv tsv;
	int more = tsv_open(&tsv, file->name, file->text, file->columns, err);

	*rows = (struct fact_rows){ .columns = file->columns, .keys = keys, .arena = file->arena };
	if (more)
		return more;
	rows->width = tsv.count - 1;
	while ((more = tsv_next(&tsv, err)) > 0) {
		struct fact_row *row = row_of(rows, tsv.cells);

		more = read_spans(axis, &tsv, row, err);
		if (more)
			return more;
	}
	return more;
}

void fact_rows_remove(struct fact_rows *rows, unsigned place)
{
	for (size_t i = 0; i < rows->count; i++)
		rows->items[i].places[place / WORD_BITS] &= ~((uint64_t)1 << place % WORD_BITS);
}

void fact_rows_shift(struct fact_rows *rows, unsigned place)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct fact_row *row = &rows->items[i];

		for (unsigned to = TIMELINE_PLACES - 1; to > place; to--) {
			row->places[to / WORD_BITS] &= ~((uint64_t)1 << to % WORD_BITS);
			if (fact_row_holds(row, to - 1))
				set_place(row, to);
		}
		row->places[place / WORD_BITS] &= ~((uint64_t)1 << place % WORD_BITS);
	}
}

static unsigned first_place(const struct fact_row *row)
{
	unsigned place = 0;

	while (place < TIMELINE_PLACES && !fact_row_holds(row, place))
		place++;
	return place;
}

static int by_key(const void *a, const void *b, void *context)
{
	const struct fact_rows *rows = context;
	const struct fact_row *left = a, *right = b;
	unsigned left_place = first_place(left), right_place = first_place(right);
	int order = 0;

	for (size_t i = 0; i < rows->keys && !order; i++)
		order = str_cmp(left->cells[i], right->cells[i]);
	return order ? order : (left_place > right_place) - (left_place < right_place);
}

static void put_spans(const struct fact_row *row, const struct axis *axis, struct buf *buf)
{
	bool begun = false;

	for (unsigned place = 0; place < axis->count; place++) {
		unsigned last = place;

		if (!fact_row_holds(row, place))
			continue;
		while (last + 1 < axis->count && fact_row_holds(row, last + 1))
			last++;
		buf_add(buf, begun ? STR(" ") : STR(""));
		buf_add(buf, axis->items[place]);
		if (last > place) {
			buf_add(buf, STR(".."));
			buf_add(buf, axis->items[last]);
		}
		begun = true;
		place = last;
	}
}

void fact_put_header(struct buf *buf, struct str columns)
{
	buf_add(buf, STR("# "));
	for (size_t i = 0; i < columns.len; i++)
		buf_byte(buf, columns.ptr[i] == ' ' ? '\t' : columns.ptr[i]);
	buf_byte(buf, '\n');
}

void fact_put_cells(struct buf *buf, const struct str *cells, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		buf_add(buf, i ? STR("\t") : STR(""));
		buf_add(buf, cells[i].len ? cells[i] : STR("."));
	}
}

void fact_rows_write(struct fact_rows *rows, const struct axis *axis, struct buf *buf)
{
	fact_put_header(buf, rows->columns);
	if (rows->keys) {
		qsort_r(rows->items, rows->count, sizeof(rows->items[0]), by_key, rows);
		map_clear(&rows->map); /* the rows have moved, and none is added after this */
	}
	for (size_t i = 0; i < rows->count; i++) {
		if (first_place(&rows->items[i]) >= axis->count)
			continue;
		fact_put_cells(buf, rows->items[i].cells, rows->width);
		buf_byte(buf, '\t');
		put_spans(&rows->items[i], axis, buf);
		buf_byte(buf, '\n');
	}
}
