#include "import/input.h"

#include <errno.h>
#include <stdio.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/value/utf8.h"

static void close_file(FILE **file)
{
	if (*file)
		fclose(*file);
}

int input_error(const struct input *input, size_t line, struct err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_vset(err, ERR_IMPORT, format, args);
	va_end(args);
	if (!line)
		return err_where(err, "%s", shown(input->name).text);
	return err_where(err, "%s:%zu", shown(input->name).text, line);
}

int input_full(const struct input *input, struct err *err)
{
	err_set(err, ERR_LIMIT, "the file needs more memory than an import may take");
	return err_where(err, "%s", shown(input->name).text);
}

static int read_all(FILE *file, struct buf *ret, const struct input *input, struct err *err)
{
	char chunk[64 * 1024];
	size_t count;

	while ((count = fread(chunk, 1, sizeof(chunk), file)) > 0)
		buf_add(ret, (struct str){ chunk, count });
	if (ferror(file)) {
		err_os(err, ERR_OPEN, errno, "cannot read it");
		return err_where(err, "%s", shown(input->name).text);
	}
	if (ret->full) {
		err_set(err, ERR_LIMIT, "the file is larger than %d bytes", INPUT_BYTES);
		return err_where(err, "%s", shown(input->name).text);
	}
	return 0;
}

/* The line of a byte. */
static size_t line_at(struct str text, size_t at)
{
	size_t line = 1;

	for (size_t i = 0; i < at; i++)
		line += text.ptr[i] == '\n';
	return line;
}

static int check_text(const struct input *input, struct err *err)
{
	size_t bad_at = str_find(input->text, (struct str){ "", 1 });

	if (bad_at != STR_NONE)
		return input_error(input, line_at(input->text, bad_at), err, "not text: it has a byte 0");
	if (!utf8_valid(input->text, &bad_at))
		return input_error(input, line_at(input->text, bad_at), err, "byte %zu is not UTF-8", bad_at + 1);
	return 0;
}

int input_read(const char *path, struct arena *arena, struct input *ret, struct err *err)
{
	CLEANUP(close_file) FILE *file = fopen(path, "re");
	CLEANUP(buf_clear) struct buf text = BUF_INIT(INPUT_BYTES);
	struct input input = { .name = str_from(path) };
	int code;

	if (!file) {
		err_os(err, ERR_OPEN, errno, "cannot open it");
		return err_where(err, "%s", shown(input.name).text);
	}
	code = read_all(file, &text, &input, err);
	if (code)
		return code;
	if (!arena_copy(arena, buf_str(&text), &input.text))
		return input_full(&input, err);
	code = check_text(&input, err);
	if (!code)
		*ret = input;
	return code;
}
