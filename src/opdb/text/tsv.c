#include "opdb/text/tsv.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/value/utf8.h"

int tsv_error(const struct tsv *tsv, struct err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_vset(err, ERR_FACT, format, args);
	va_end(args);
	return err_where(err, "%.*s:%zu", STR_ARG(tsv->name), tsv->line);
}

/* Takes one line, without its LF, off the text. */
static int next_line(struct tsv *tsv, struct str *ret, struct err *err)
{
	size_t end = str_find(tsv->rest, STR("\n")), bad_at;

	tsv->line++;
	if (end == STR_NONE)
		return tsv_error(tsv, err, "the last line does not end in a line feed");
	*ret = str_sub(tsv->rest, 0, end);
	tsv->rest = str_skip(tsv->rest, end + 1);
	if (!utf8_valid(*ret, &bad_at))
		return tsv_error(tsv, err, "byte %zu is not UTF-8", bad_at + 1);
	for (size_t i = 0; i < ret->len; i++) {
		unsigned char byte = (unsigned char)ret->ptr[i];

		if ((byte < 0x20 && byte != '\t') || byte == 0x7f)
			return tsv_error(tsv, err, "byte %zu is a control character", i + 1);
	}
	return 0;
}

int tsv_open(struct tsv *tsv, struct str name, struct str text, struct str columns, struct err *err)
{
	struct str header, given, wanted = { 0 };
	int code;

	*tsv = (struct tsv){ .name = name, .rest = text };
	code = next_line(tsv, &header, err);
	if (code)
		return code;
	if (!str_starts(header, STR("# ")))
		return tsv_error(tsv, err, "expected a comment that names the columns");
	header = str_skip(header, 2);
	while (str_cut(&columns, ' ', &wanted)) {
		if (!str_cut(&header, '\t', &given))
			return tsv_error(tsv, err, "column \"%.*s\" is missing", STR_ARG(wanted));
		if (!str_eq(given, wanted))
			return tsv_error(tsv, err, "unknown column \"%.*s\", expected \"%.*s\"", STR_ARG(given),
				STR_ARG(wanted));
		tsv->count++;
	}
	if (str_cut(&header, '\t', &given))
		return tsv_error(tsv, err, "unknown column \"%.*s\" at the end", STR_ARG(given));
	return 0;
}

int tsv_next(struct tsv *tsv, struct err *err)
{
	struct str line, cell;
	size_t count = 0;
	int code;

	if (!tsv->rest.len)
		return 0;
	code = next_line(tsv, &line, err);
	if (code)
		return code;
	for (; str_cut(&line, '\t', &cell); count++) {
		if (!str_trim(cell).len || str_trim(cell).len != cell.len)
			return tsv_error(
				tsv, err, "column %zu is empty or padded; an empty cell is written \".\"", count + 1);
		if (count < tsv->count)
			tsv->cells[count] = str_eq(cell, STR(".")) ? STR("") : cell;
	}
	if (count != tsv->count)
		return tsv_error(tsv, err, "expected %zu columns, found %zu", tsv->count, count);
	return 1;
}
