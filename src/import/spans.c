#include "import/spans.h"

#include <dirent.h>
#include <errno.h>

#include "base/memory/mem.h"
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

/* Adds a table when its spans are over the axis. */
static int add_table(struct span_tables *tables, struct text_file *file, const char *column, const struct axis *axis,
	struct err *err)
{
	size_t at = tables->count;

	file->columns = columns_in(file->text, file->arena);
	if (!str_eq(str_tail(file->columns, ' '), str_from(column)))
		return 0;
	if (at == SPAN_TABLES)
		return err_set(err, ERR_LIMIT, "more than %d tables over releases in the fact text", SPAN_TABLES);
	tables->items[at].file = *file;
	tables->count++;
	return fact_rows_read(&tables->items[at].rows, file, 0, axis, err);
}

int span_tables_read(struct span_tables *tables, const struct span_folder *folder, const struct axis *axis,
	struct arena *arena, struct err *err)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(PATH_BYTES);
	CLEANUP(close_folder) DIR *entries = NULL;
	int code = 0;

	buf_printf(&path, "%s/%s", folder->dir, folder->folder);
	entries = opendir(buf_text(&path));
	if (!entries)
		return err_os(err, ERR_FACT, errno, "cannot read the folder %s", buf_text(&path));
	for (struct dirent *entry = readdir(entries); entry && !code; entry = readdir(entries)) {
		struct text_file file = { .arena = arena };

		file.name = arena_printf(arena, "%s/%s", folder->folder, entry->d_name);
		if (!str_ends(file.name, STR(".tsv")) || is_known(file.name, folder->known))
			continue;
		code = fact_text_load_file(folder->dir, file.name, arena, &file.text, err);
		if (!code)
			code = add_table(tables, &file, folder->column, axis, err);
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
			changes_add(changes, tables->items[i].file.name.ptr, tables->items[i].file.text));
}
