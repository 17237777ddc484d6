#pragma once
/*
 * A failure: a stable code, its position in an input, one sentence, and a hint on what to do.
 *
 * A function that can fail takes the caller's struct err last and returns 0 or the negative code. It fills the struct
 * once, at the place that knows most, and leaves its outputs alone. Only main programs and the HTTP layer print it.
 * Formats are translated (base/setup/translate.h). The text is lower case without a full stop; quoted input must have
 * gone through quote() first.
 */
#include <stdarg.h>
#include <stddef.h>

#include "base/setup/err_codes.h"

struct err {
	int code;        /* 0: no error */
	char where[256]; /* "profiler.log:118", "trace.gz: byte 4711" or empty */
	char text[512];
	char hint[512];
};

/* Sets code and text, clears where and hint. Returns the negative code, so that `return err_set(...)` is the whole
   exit. */
int err_set(struct err *err, enum err_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

int err_vset(struct err *err, enum err_code code, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

/* err_set with ": " and the system's word for errno_value appended. */
int err_os(struct err *err, enum err_code code, int errno_value, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Adds the position or the hint to an error that is set; the first one given stays. Both return the negative code. */
int err_where(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
int err_hint(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says which file the error is in: its position becomes "file", or "file: byte 4711" where it was "byte 4711". Called
   once, by whoever knows the name that the user knows. Returns the negative code. */
int err_file(struct err *err, const char *file);

/* Exit status of the command line for a code: 2 to 6, or 70. 0 for 0. */
int err_exit_status(int code);

/* "OPC-2001" for a code; NULL if no such code exists. The text is static. */
const char *err_name(int code);

/* The code with this name; 0 if no code has it. */
int err_code_named(const char *name);

/* The code at a place in the ascending list of all codes; 0 past its end. */
int err_code_at(size_t index);
