#pragma once
/*
 * A table of the fact text in memory, to be changed and written again.
 *
 * A row is its cells without the last one, and the set of places (releases or versions of PyTorch) where it holds. Rows
 * that are equal but for the places are one row, as in the file, so what did not change is written as it was read.
 */
#include "base/memory/arena.h"
#include "base/memory/buf.h"
#include "base/setup/err.h"
#include "opdb/text/axis.h"
#include "opdb/text/tsv.h"

/* A file of the fact text as it is. */
struct text_file {
	struct str name, columns; /* columns joined by blanks */
	struct str text;
	struct arena *arena; /* of the text, and of rows that are made of it */
};

/* Reads a table of the fact text that is in dir. ERR_FACT. */
int text_file_load(const char *dir, const char *name, struct arena *arena, struct text_file *ret, struct err *err);

struct fact_row {
	struct str *cells;
	uint64_t places[TIMELINE_PLACES / 64]; /* none: the row is gone */
};

struct fact_rows {
	struct str columns; /* joined by blanks, the spans last */
	size_t width;       /* cells without the spans */
	size_t keys; /* the first cells that identify a fact; 0: rows stay in the order in which they were read */
	struct arena *arena;
	struct fact_row *items;
	size_t count, capacity;
	struct map map;
};

void fact_rows_clear(struct fact_rows *rows);

/* Takes the rows of a table whose last column is spans over axis. ERR_FACT. */
int fact_rows_read(
	struct fact_rows *rows, const struct text_file *file, size_t keys, const struct axis *axis, struct err *err);

bool fact_row_holds(const struct fact_row *row, unsigned place);

/* Ends every row at this place. */
void fact_rows_remove(struct fact_rows *rows, unsigned place);

/* Make room in the order: positions from this one on move up by one. */
void fact_rows_shift(struct fact_rows *rows, unsigned place);

/* The row with these cells holds at the place. False when it did already. */
bool fact_rows_add(struct fact_rows *rows, const struct str *cells, unsigned place);

/* Appends the whole file: header, rows in the order of their keys, then of their first place. */
void fact_rows_write(struct fact_rows *rows, const struct axis *axis, struct buf *buf);

/* Appends a header or a row of any table of the fact text; "" becomes ".". */
void fact_put_header(struct buf *buf, struct str columns);
void fact_put_cells(struct buf *buf, const struct str *cells, size_t count);
