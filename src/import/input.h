#pragma once
/* A file that is imported: read whole, named in every error. */
#include "base/memory/arena.h"
#include "base/setup/err.h"

struct input {
	struct str name; /* as the user gave it */
	struct str text; /* UTF-8 without NUL */
};

enum { INPUT_BYTES = 64 * 1024 * 1024 };

/* Reads the file at path into arena. ERR_OPEN, ERR_LIMIT over INPUT_BYTES, ERR_IMPORT for bytes that are not text. */
int input_read(const char *path, struct arena *arena, struct input *ret, struct err *err);

/* ERR_IMPORT at "file:line"; without a line (0) at the file. */
int input_error(const struct input *input, size_t line, struct err *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* ERR_LIMIT: the file needs more memory than one import may take. */
int input_full(const struct input *input, struct err *err);
