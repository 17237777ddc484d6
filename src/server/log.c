#include "server/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINE_BYTES = 4096 };

static bool to_journal;

void log_start(void)
{
	const char *stream = getenv("JOURNAL_STREAM");

	to_journal = stream && stream[0];
}

void log_line(enum log_level level, const char *format, ...)
{
	char line[LINE_BYTES];
	size_t len = (size_t)(to_journal ? snprintf(line, sizeof(line), "<%d>", (int)level)
					 : snprintf(line, sizeof(line), "opcheckd: "));
	va_list args;
	int more;

	va_start(args, format);
	more = vsnprintf(line + len, sizeof(line) - len, format, args);
	va_end(args);
	len = more < 0 ? len : len + (size_t)more;
	len = len < sizeof(line) ? len : sizeof(line) - 1;
	line[len++] = '\n';
	/* one call a line, so that lines of several threads do not mix; a log that cannot be written stops nothing */
	(void)!write(STDERR_FILENO, line, len);
}

void log_error(const char *id, const struct err *err)
{
	log_line(LOG_LEVEL_ERROR, "%s%s%s%serror %s: %s%s%s", id, id[0] ? " " : "", err->where,
		err->where[0] ? ": " : "", err_name(err->code), err->text, err->hint[0] ? "; hint: " : "", err->hint);
}
