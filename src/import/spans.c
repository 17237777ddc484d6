#include "import/spans.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>

#include "base/mem.h"
#include "opdb/text/fact_text.h"

enum { PATH_BYTES = 4096 };

static void close_folder(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

static bool is_known(struct str file, const char *const *known)
{
	for (; *known; known++) {
		if (str_eq(file, str_from(*known)))
			return true;
	}
	return false;
}

/* The columns that a file's first line names, joined by blanks; "" when it names none. */
static struct str columns_in(struct str text, struct arena *arena)
{
	CLEANUP(buf_clear) struct buf columns = BUF_INIT(PATH_BYTES);
	struct str line = { 0 }, name = { 0 };

	if (!str_cut(&text, '\n', &line) || !str_starts(line, STR("# ")))
		return STR("");
	line = str_skip(line, 2);
	while (str_cut(&line, '\t', &name)) {
		buf_add(&columns, columns.len ? STR(" ") : STR(""));
		buf_add(&columns, name);
	}
	return arena_keep(arena, buf_str(&columns));
}

static bool ends_in_column(struct str columns, const char *column)
{
	struct str name = { 0 };

	while (str_cut(&columns, ' ', &name))
		;
	return str_eq(name, str_from(column));
}

static int read_table(struct span_tables *tables, const char *dir, struct str file, const char *column,
	const struct axis *axis, struct arena *arena, struct err *err)
{
	struct str text, columns;
	int code = fact_text_load_file(dir, file, arena, &text, err);

	if (code)
		return code;
	columns = columns_in(text, arena);
	if (!ends_in_column(columns, column))
		return 0;
	if (tables->count == SPAN_TABLES)
		return err_set(err, ERR_LIMIT, "more than %d tables over releases in the fact text", SPAN_TABLES);
	tables->items[tables->count].file = file.ptr;
	tables->items[tables->count].text = text;
	return fact_rows_read(&tables->items[tables->count++].rows, file, columns, 0, axis, text, arena, err);
}

int span_tables_read(struct span_tables *tables, const char *dir, const char *folder, const char *column,
	const char *const *known, const struct axis *axis, struct arena *arena, struct err *err)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(PATH_BYTES);
	CLEANUP(close_folder) DIR *entries = NULL;
	int code = 0;

	buf_printf(&path, "%s/%s", dir, folder);
	entries = opendir(buf_text(&path));
	if (!entries)
		return err_os(err, ERR_FACT, errno, "cannot read the folder %s", buf_text(&path));
	for (struct dirent *entry = readdir(entries); entry && !code; entry = readdir(entries)) {
		struct str file;

		buf_reset(&path);
		buf_printf(&path, "%s/%s", folder, entry->d_name);
		file = arena_keep(arena, buf_str(&path));
		if (str_ends(file, STR(".tsv")) && !is_known(file, known))
			code = read_table(tables, dir, file, column, axis, arena, err);
	}
	return code;
}

void span_tables_clear(struct span_tables *tables)
{
	for (size_t i = 0; i < tables->count; i++)
		fact_rows_clear(&tables->items[i].rows);
	tables->count = 0;
}

void span_tables_shift(struct span_tables *tables, unsigned place)
{
	for (size_t i = 0; i < tables->count; i++)
		fact_rows_shift(&tables->items[i].rows, place);
}

void span_tables_write(struct span_tables *tables, const struct axis *axis, struct changes *changes)
{
	for (size_t i = 0; i < tables->count; i++)
		fact_rows_write(&tables->items[i].rows, axis,
			changes_add(changes, tables->items[i].file, tables->items[i].text));
}
