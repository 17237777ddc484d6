#include "server/jobs/log.h"

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

void log_text(enum log_level level, struct str text)
{
	char line[LINE_BYTES];
	const char journal[] = { '<', (char)('0' + level), '>' };
	struct str prefix = to_journal ? (struct str){ journal, sizeof(journal) } : STR("opcheckd: ");
	size_t room = sizeof(line) - prefix.len - 1, len = text.len < room ? text.len : room;

	memcpy(line, prefix.ptr, prefix.len);
	memcpy(line + prefix.len, text.ptr, len);
	line[prefix.len + len] = '\n';
	/* one call a line, so that lines of several threads do not mix; a log that cannot be written stops nothing */
	(void)!write(STDERR_FILENO, line, prefix.len + len + 1);
}

void log_line(enum log_level level, const char *format, ...)
{
	char text[LINE_BYTES];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (len > 0)
		log_text(level, (struct str){ text, (size_t)len < sizeof(text) ? (size_t)len : sizeof(text) - 1 });
}

void log_error(const char *id, const struct err *err)
{
	log_line(LOG_LEVEL_ERROR, "%s%s%s%serror %s: %s%s%s", id, id[0] ? " " : "", err->where,
		err->where[0] ? ": " : "", err_name(err->code), err->text, err->hint[0] ? "; hint: " : "", err->hint);
}
