#include "report/doc/doc_table.h"

#include <inttypes.h>

#include "report/doc/doc_build.h"

void doc_table(struct doc *doc, const struct doc_table *table)
{
	struct doc_table *copy = arena_alloc(&doc->arena, sizeof(*copy));

	*copy = *table;
	doc_open_node(doc, DOC_TABLE, 0)->table = copy;
}

struct str doc_column_head(const struct doc *doc, const struct doc_column *column)
{
	if (column->headed && !(column->headed & doc->format))
		return STR("");
	return column->label ? doc_label_of(doc, column->label) : column->title;
}

static bool is_open(const struct doc *doc, enum doc_kind kind)
{
	return doc->open->kind == kind;
}

void doc_row(struct doc *doc)
{
	while (is_open(doc, DOC_ROW) || is_open(doc, DOC_CELL))
		doc_close(doc);
	doc_open_node(doc, DOC_ROW, 0);
}

void doc_cell(struct doc *doc)
{
	if (is_open(doc, DOC_CELL))
		doc_close(doc);
	doc_open_node(doc, DOC_CELL, 0);
}

void doc_table_end(struct doc *doc)
{
	while (is_open(doc, DOC_ROW) || is_open(doc, DOC_CELL))
		doc_close(doc);
	doc_close(doc);
}

void doc_cell_styled(struct doc *doc, enum doc_span style, struct str text)
{
	doc_cell(doc);
	doc_styled(doc, style, text);
	doc_close(doc);
}

void doc_cell_tag(struct doc *doc, enum doc_set set, struct str value)
{
	doc_cell(doc);
	doc_tag(doc, set, value);
	doc_close(doc);
}

void doc_figure(struct doc *doc, void (*put)(struct buf *out, enum lang lang, const void *ctx), const void *ctx)
{
	struct doc_figure *figure = arena_alloc(&doc->arena, sizeof(*figure));

	*figure = (struct doc_figure){ put, ctx };
	doc_add(doc_in(doc, DOC_HTML), DOC_FIGURE, 0)->figure = figure;
}

/* --- rows that are built when they are written */

const struct doc_node *doc_next_row(struct doc_row_walk *walk)
{
	enum { KEPT_BYTES = 1 << 18 };
	const struct doc_table *table = walk->table->table;

	if (!walk->at) {
		walk->row = walk->row ? walk->row->next : walk->table->first;
		while (walk->row && walk->row->kind != DOC_ROW)
			walk->row = walk->row->next;
		if (walk->row)
			return walk->row;
		walk->built = doc_new(walk->doc->format, &walk->doc->options);
	}
	if (walk->at == table->row_count) {
		doc_clear(&walk->built);
		return NULL;
	}
	if (walk->built.arena.used_bytes > KEPT_BYTES) {
		doc_clear(&walk->built);
		walk->built = doc_new(walk->doc->format, &walk->doc->options);
	}
	walk->built.open = walk->built.root;
	table->put_row(&walk->built, table->ctx, walk->at++);
	return walk->built.root->last;
}
