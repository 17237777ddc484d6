#pragma once
/*
 * A table, or several, that are the whole answer of a command: as CSV, Markdown or an HTML file.
 *
 * Cells are given row by row. CSV is written as they come; the others are kept until sheet_end.
 */
#include "report/doc/doc_build.h"

struct sheet_shape {
	const char *title;        /* id of the heading of an HTML file, and of each further table */
	const char *const *heads; /* of columns, the same in every language */
	size_t count;
};

struct sheet {
	const struct sheet_shape *shape;
	struct buf *out;
	struct doc doc;
	bool is_csv, has_section;
	size_t at; /* column of the next cell */
};

/* "csv", "md" and "html" are such tables, other formats are not. */
bool sheet_is_format(struct str format);

void sheet_begin(struct sheet *sheet, const struct sheet_shape *shape, struct str format,
	const struct render_options *options, struct buf *out);
void sheet_cell(struct sheet *sheet, struct str text);
#define sheet_cells(sheet, ...)                                                                                        \
	sheet_put_cells(sheet, (const struct str[]){ __VA_ARGS__ },                                                    \
		sizeof((const struct str[]){ __VA_ARGS__ }) / sizeof(struct str))
void sheet_put_cells(struct sheet *sheet, const struct str *cells, size_t count);
void sheet_number(struct sheet *sheet, int64_t value, unsigned places); /* value / 10^places */
/* The next table; in CSV an empty line comes first. */
void sheet_next(struct sheet *sheet, const struct sheet_shape *shape);
void sheet_end(struct sheet *sheet);
