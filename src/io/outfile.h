#pragma once
/* Files that are either written whole or not at all. */
#include <stdbool.h>

#include "base/setup/err.h"
#include "base/view/str.h"

/* Write bytes to path through a temporary file, renamed at the end. A path that is not a regular file (/dev/stdout,
   a pipe) is written directly. ERR_EXISTS for an existing regular file, unless replace; ERR_OUTPUT. SIGINT, SIGTERM
   and SIGHUP remove the temporary file and then act as they would have. */
int outfile_write(const char *path, struct str bytes, bool replace, struct err *err);

/* Checks before the work what outfile_write would refuse at once: ERR_EXISTS or ERR_OUTPUT. */
int outfile_check(const char *path, bool replace, struct err *err);

struct outfile {
	const char *path;
	struct str bytes;
};

enum { OUTFILES = 16 };

/* Writes at most OUTFILES files, replacing what is there: each whole beside its place first, then all of them take
   their places, so that an error before that leaves every one as it was. The same signals. ERR_OUTPUT. */
int outfile_write_all(const struct outfile *files, size_t count, struct err *err);

/* Writes bytes to an open descriptor. ERR_OUTPUT. */
int outfile_put(int fd, struct str bytes, struct err *err);
