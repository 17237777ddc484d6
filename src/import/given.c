#include "import/given.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

enum { PATH_BYTES = 4096 };

int given_error(const struct given *given, struct err *err, const char *format, ...)
{
	char text[sizeof(err->text)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return input_error(&given->input, given->line, err, "%s", text);
}

/* Takes the cells of one line. */
static int next_line(struct given *given, struct err *err)
{
	struct str line = { 0 }, cell = { 0 };

	given->line++;
	given->count = 0;
	if (!str_ends(given->rest, STR("\n")))
		return given_error(given, err, "the last line does not end in a line feed");
	str_cut(&given->rest, '\n', &line);
	for (size_t i = 0; i < line.len; i++) {
		if ((unsigned char)line.ptr[i] < 0x20 && line.ptr[i] != '\t')
			return given_error(given, err, "byte %zu is a control character", i + 1);
	}
	while (str_cut(&line, '\t', &cell)) {
		if (given->count == TSV_COLUMNS)
			return given_error(given, err, "there are more than %d columns", TSV_COLUMNS);
		if (str_eq(cell, STR(".")))
			return given_error(given, err, "a cell of \".\" alone would read as empty");
		given->cells[given->count++] = str_trim(cell);
	}
	return 0;
}

bool given_is_there(const struct given_table *table, const char *dir)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(PATH_BYTES);

	buf_printf(&path, "%s/%s", dir, table->file);
	return access(buf_text(&path), F_OK) == 0;
}

static int given_open(
	struct given *given, const struct given_table *table, const char *dir, struct arena *arena, struct err *err)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(PATH_BYTES);
	struct str rest = str_from(table->columns), name = { 0 };
	size_t wanted = 0;
	int code;

	*given = (struct given){ .line = 0 };
	buf_printf(&path, "%s/%s", dir, table->file);
	code = input_read(buf_text(&path), arena, &given->input, err);
	if (code)
		return code;
	given->input.name = arena_keep(arena, given->input.name);
	given->rest = given->input.text;
	code = next_line(given, err);
	if (code)
		return code;
	for (; str_cut(&rest, ' ', &name); wanted++) {
		if (wanted >= given->count || !str_eq(given->cells[wanted], name))
			return given_error(given, err, "the first line must name the columns %s", table->columns);
	}
	return wanted == given->count
		       ? 0
		       : given_error(given, err, "the first line names more columns than %s", table->columns);
}

static int given_next(struct given *given, struct err *err)
{
	size_t wanted = given->count;
	int code;

	if (!given->rest.len)
		return 0;
	code = next_line(given, err);
	if (code)
		return code;
	return given->count == wanted
		       ? 1
		       : given_error(given, err, "expected %zu columns, found %zu", wanted, given->count);
}

int given_read(const struct given_table *table, const char *dir, struct arena *arena, void *ctx, struct err *err)
{
	struct given given;
	int more, code = given_open(&given, table, dir, arena, err);

	while (!code && (more = given_next(&given, err)))
		code = more < 0 ? more : table->each(ctx, &given, err);
	return code;
}
