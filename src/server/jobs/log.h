#pragma once
/* The service's log: whole lines on standard error, with the journal's levels when that is where they go. */
#include "base/memory/buf.h"
#include "base/setup/err.h"

enum log_level { LOG_LEVEL_ERROR = 3, LOG_LEVEL_NOTICE = 5, LOG_LEVEL_INFO = 6 };

/* Looks at the environment once; before the first line. */
void log_start(void);

/* One line, cut at 4 KiB; text from outside must have gone through shown(). */
void log_text(enum log_level level, struct str text);
void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An error with its position and hint, which may name paths of this machine. id: of the request, or "". */
void log_error(const char *id, const struct err *err);
