#include "import/table.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "io/outfile.h"

enum { TEXT_BYTES = 64 * 1024 * 1024, PATH_BYTES = 4096 };

void table_clear(struct table *table)
{
	free(table->items);
	*table = (struct table){ 0 };
}

size_t column_at(struct str columns, const char *column)
{
	struct str name = { 0 };

	for (size_t i = 0; str_cut(&columns, ' ', &name); i++) {
		if (str_eq(name, str_from(column)))
			return i;
	}
	assert(!"unknown column");
	return 0;
}

struct str *table_cell(const struct table *table, size_t row, const char *column)
{
	return &table->items[row].cells[column_at(table->columns, column)];
}

ptrdiff_t table_find(const struct table *table, const char *column, struct str value)
{
	for (size_t i = 0; i < table->count; i++) {
		if (str_eq(*table_cell(table, i, column), value))
			return (ptrdiff_t)i;
	}
	return TABLE_NONE;
}

int table_read(struct table *table, const struct text_file *file, struct err *err)
{
	struct tsv tsv;
	int more = tsv_open(&tsv, file->name, file->text, file->columns, err);

	*table = (struct table){ .columns = file->columns, .width = tsv.count };
	while (!more && (more = tsv_next(&tsv, err)) > 0) {
		struct table_row row = { arena_alloc(file->arena, tsv.count * sizeof(row.cells[0])) };

		memcpy(row.cells, tsv.cells, tsv.count * sizeof(row.cells[0]));
		MEM_PUSH(table, row);
		more = 0;
	}
	return more;
}

void table_insert(struct table *table, size_t row, struct arena *arena)
{
	struct table_row empty = { arena_alloc(arena, table->width * sizeof(empty.cells[0])) };

	MEM_PUSH(table, empty);
	memmove(&table->items[row + 1], &table->items[row], (table->count - 1 - row) * sizeof(table->items[0]));
	table->items[row] = empty;
}

void table_write(const struct table *table, struct buf *buf)
{
	fact_put_header(buf, table->columns);
	for (size_t i = 0; i < table->count; i++) {
		fact_put_cells(buf, table->items[i].cells, table->width);
		buf_byte(buf, '\n');
	}
}

void changes_clear(struct changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		buf_clear(&changes->items[i].after);
	changes->count = 0;
}

struct buf *changes_add(struct changes *changes, const char *file, struct str before)
{
	struct change *change = &changes->items[changes->count++];

	assert(changes->count <= CHANGES);
	*change = (struct change){ file, before, BUF_INIT(TEXT_BYTES) };
	return &change->after;
}

int changes_write(struct changes *changes, const char *dir, struct err *err)
{
	char paths[CHANGES][PATH_BYTES];
	struct outfile files[CHANGES];
	size_t count = 0;

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->items[i];

		if (change->after.full)
			return err_set(err, ERR_LIMIT, "%s would be larger than %d bytes", change->file, TEXT_BYTES);
		if (str_eq(buf_str(&change->after), change->before))
			continue;
		snprintf(paths[count], sizeof(paths[count]), "%s/%s", dir, change->file);
		files[count] = (struct outfile){ paths[count], buf_str(&change->after) };
		count++;
	}
	return outfile_write_all(files, count, err);
}
