#pragma once
/*
 * A table that an extraction from sources wrote (opdb/extract): tab separated cells below one line that names the
 * columns, nothing quoted, an empty cell is empty.
 *
 * Errors are ERR_IMPORT at "file:line".
 */
#include "import/input.h"
#include "opdb/text/tsv.h"

struct given {
	struct input input;
	struct str rest;
	size_t line; /* of the row that was read last, from 1 */
	size_t count;
	struct str cells[TSV_COLUMNS]; /* of that row; they live as long as the arena */
};

struct given_table {
	const char *file, *columns; /* the header must be exactly these, joined by blanks here */
	int (*each)(void *ctx, const struct given *given, struct err *err);
};

/* Whether the table is in a folder at all; its absence is for given_read to report. */
bool given_is_there(const struct given_table *table, const char *dir);

/* Calls each for every row of dir/file until it answers other than 0. */
int given_read(const struct given_table *table, const char *dir, struct arena *arena, void *ctx, struct err *err);

/* An error at the row that was read last. */
int given_error(const struct given *given, struct err *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
