#pragma once
/* Tables and drawings of a document (doc.h), and what walks it. */
#include <inttypes.h>

#include "assess/model/result_fix.h"
#include "report/doc/doc.h"

/* Fit of a column in text: cut at its width; over the width that others leave; wrapped after the others, as the
   last. */
enum column_fit { COLUMN_CUT, COLUMN_FILL, COLUMN_SPILL, COLUMN_WRAP };

struct doc_column {
	const char *label;        /* id of its head; NULL: title */
	unsigned char width, gap; /* columns of text, and blanks before them */
	enum column_fit fit;
	unsigned char hang; /* indent of wrapped lines; 0: below the start */
	bool number;        /* to the right */
	unsigned formats;   /* that show it, enum doc_format; 0: all */
	unsigned headed;    /* formats that show its head; 0: all */
	const char *css;    /* class of its cells */
	struct str title;   /* its head */
};

struct doc_table {
	const struct doc_column *columns;
	size_t count;
	bool bare;           /* neither text nor HTML show its head */
	const char *name;    /* of the element in HTML; NULL: none */
	const char *row_css; /* class of its rows */
	size_t row_count;    /* of rows that are built when they are written, and given back */
	void (*put_row)(struct doc *doc, const void *ctx, size_t row);
	const void *ctx;
};

/* Opens a table, of which a copy is made; its columns live on. A row or a cell ends where the next begins, and with
   its table, which doc_table_end closes; doc_close ends them before that, for blocks that stand below the cells. */
void doc_table(struct doc *doc, const struct doc_table *table);
#define doc_table_of(doc, heads, rows, put, context)                                                                   \
	doc_table(doc, &(struct doc_table){ .columns = (heads),                                                        \
			       .count = ARRAY_SIZE(heads),                                                             \
			       .row_count = (rows),                                                                    \
			       .put_row = (put),                                                                       \
			       .ctx = (context) })
void doc_row(struct doc *doc);
void doc_cell(struct doc *doc);
void doc_table_end(struct doc *doc);

/* Whole cells. */
void doc_cell_styled(struct doc *doc, enum doc_span style, struct str text);
void doc_cell_tag(struct doc *doc, enum doc_set set, struct str value);
#define doc_cell_text(doc, text) doc_cell_styled(doc, SPAN_PLAIN, text)
#define doc_cell_number(doc, number) doc_cell_text(doc, doc_format_of(doc, "%" PRIu64, (uint64_t)(number)))
#define doc_cell_interval(doc, interval) doc_cell_text(doc, doc_interval_of(doc, interval))

/* Writes itself as HTML. */
struct doc_figure {
	void (*put)(struct buf *out, enum lang lang, const void *ctx);
	const void *ctx;
};
void doc_figure(struct doc *doc, void (*put)(struct buf *out, enum lang lang, const void *ctx), const void *ctx);

struct str doc_column_head(const struct doc *doc, const struct doc_column *column);

/* Returns whether a column is shown in a format. */
static inline bool doc_column_shown(const struct doc_column *column, enum doc_format format)
{
	return !column->formats || column->formats & format;
}

/* Every row of a table in its order. Start with { .doc, .table }; a row lives until the next call. NULL at the end. */
struct doc_row_walk {
	const struct doc *doc;
	const struct doc_node *table, *row;
	struct doc built;
	size_t at;
};
const struct doc_node *doc_next_row(struct doc_row_walk *walk);
