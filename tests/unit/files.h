#pragma once
/* Files for tests: those of the source tree, and a directory of their own for those they write. */
#include "base/memory/buf.h"
#include "tests/unit/check.h"

/* "FILE" of the source tree, whose root stands in OPCHECK_SOURCE_ROOT. */
void source_path(struct buf *ret, const char *file);

/* Whole files. */
void file_read(const char *path, struct buf *ret);
void file_write(const char *path, struct str bytes);

/* The text of a file of the source tree, to be cleared by the caller. */
struct buf source_text(const char *file);

/* A directory that a test fills. */
struct scratch {
	char directory[256];
	char path[512]; /* the last one asked for */
};

void scratch_make(struct scratch *scratch);

/* The path of a file in it; lives until the next call. */
const char *scratch_path(struct scratch *scratch, const char *name);

/* How many files it holds, hidden ones included. */
size_t scratch_count(const struct scratch *scratch);

/* Removes the directory and the files in it. */
void scratch_remove(struct scratch *scratch);
