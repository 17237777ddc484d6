#include "server/log.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

enum { LINE_BYTES = 4096 };

static bool to_journal;

void log_start(void)
{
	const char *stream = getenv("JOURNAL_STREAM");

	to_journal = stream && stream[0];
}

void log_line(enum log_level level, const char *format, ...)
{
	CLEANUP(buf_clear) struct buf line = BUF_INIT(LINE_BYTES);
	va_list args;

	if (to_journal)
		buf_printf(&line, "<%d>", (int)level);
	else
		buf_add(&line, STR("opcheckd: "));
	va_start(args, format);
	buf_vprintf(&line, format, args);
	va_end(args);
	buf_byte(&line, '\n');
	/* one call a line, so that lines of several threads do not mix; a log that cannot be written stops nothing */
	(void)!write(STDERR_FILENO, line.ptr, line.len);
}

void log_error(const char *id, const struct err *err)
{
	log_line(LOG_LEVEL_ERROR, "%s%s%s%serror %s: %s%s%s", id, id[0] ? " " : "", err->where,
		err->where[0] ? ": " : "", err_name(err->code), err->text, err->hint[0] ? "; hint: " : "", err->hint);
}
