#pragma once
/* The files of the fact text: found, read and digested. */
#include "base/memory/arena.h"
#include "base/memory/buf.h"
#include "base/setup/err.h"

struct fact_file {
	struct str name, text; /* name relative to the directory */
};

struct fact_text {
	struct fact_file *files;
	size_t count;
	char sha256[65]; /* over names and contents, in order of the names */
};

/* Reads the files that text names and sorts them by name. Their texts live in arena. ERR_FACT when one cannot be
   read. */
int fact_text_load(const char *text_dir, struct arena *arena, struct fact_text *text, struct err *err);

/* Reads one file of the directory into arena. ERR_FACT, ERR_LIMIT. */
int fact_text_load_file(const char *text_dir, struct str name, struct arena *arena, struct str *ret, struct err *err);

/* Appends the contents of the file at path to ret, whose maximum is the largest size allowed. ERR_FACT, ERR_LIMIT. */
int fact_text_read(const char *path, struct buf *ret, struct err *err);

/* The text of a file that was loaded. */
struct str fact_text_find(const struct fact_text *text, struct str name);
