#pragma once
/*
 * A file of the fact text: tab separated cells, one header comment that names the columns, then rows.
 *
 * Rows have as many cells as the header, "." is an empty cell, lines end in LF alone and nothing is quoted. Views
 * point into the text given to tsv_open. Errors are ERR_FACT at "file:line".
 */
#include "base/setup/err.h"
#include "base/view/str.h"

enum { TSV_COLUMNS = 20 };

struct tsv {
	struct str name; /* of the file, for errors */
	struct str rest;
	size_t line; /* of the row that was read last, from 1 */
	size_t count;
	struct str cells[TSV_COLUMNS];
};

/* Reads the header, which must be "# " and exactly these columns, joined by blanks here. At most TSV_COLUMNS. */
int tsv_open(struct tsv *tsv, struct str name, struct str text, struct str columns, struct err *err);

/* Fills cells with the next row. 1, or 0 at the end of the text, or an error. */
int tsv_next(struct tsv *tsv, struct err *err);

/* An error at the row that was read last. Quote cells with "%.*s": tsv_next lets only printable text through. */
int tsv_error(const struct tsv *tsv, struct err *err, const char *format, ...) __attribute__((format(printf, 3, 4)));
