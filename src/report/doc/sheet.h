#pragma once
/*
 * Tables that are the whole answer of a command: columns are the fields of a record, rows its structs, in CSV,
 * Markdown, an HTML file, text and lists of JSON.
 *
 * Rows are given one by one and are not kept. CSV and JSON are written as they come, the others by sheet_end.
 */
#include "record/record.h"
#include "report/doc/doc_build.h"

struct sheet_shape {
	const char *title;           /* id of the heading of an HTML file, and of each further table */
	const struct record *record; /* of a row; CSV has a column for each field, headed by its key */
	const char *list;            /* key of its list in JSON; NULL: JSON is written elsewhere */
	const unsigned char *widths; /* of the columns in text, 0: not there; NULL: text is written elsewhere */
	bool capitals;               /* of the heads in text */
};

enum sheet_form { SHEET_CSV, SHEET_DOCUMENT, SHEET_JSON };

struct sheet {
	const struct sheet_shape *shape;
	struct buf *out;
	enum sheet_form form;
	struct doc doc;
	struct jsonw json;
	bool has_section;
};

/* "csv", "md" and "html" are such tables whatever their shape, other formats are where the shape says so. */
bool sheet_is_format(struct str format);

void sheet_begin(struct sheet *sheet, const struct sheet_shape *shape, struct str format,
	const struct render_options *options, struct buf *out);
void sheet_row(struct sheet *sheet, const void *row);
void sheet_rows(struct sheet *sheet, const void *rows, size_t count);
/* The next table; in CSV an empty line comes first. */
void sheet_next(struct sheet *sheet, const struct sheet_shape *shape);
void sheet_end(struct sheet *sheet);
