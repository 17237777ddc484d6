#include "report/doc/md_doc.h"

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "report/doc/doc_build.h"
#include "report/doc/markup.h"
#include "report/doc/textw.h"

struct md_walk {
	const struct doc *doc;
	struct buf *out;
	size_t start;   /* of the document in out */
	unsigned depth; /* of lists */
	bool in_cell;
	bool in_line; /* something of the line is there */
};

static void put_md_children(struct md_walk *walk, const struct doc_node *node);

/* A new line, behind an empty one. */
static void begin_block(struct md_walk *walk)
{
	if (walk->in_line)
		buf_byte(walk->out, '\n');
	if (walk->out->len > walk->start && !walk->depth)
		buf_byte(walk->out, '\n');
	walk->in_line = false;
}

static void end_line(struct md_walk *walk)
{
	if (walk->in_line)
		buf_byte(walk->out, '\n');
	walk->in_line = false;
}

/* --- pieces of a line */

/* Append one backtick more than any run of them in the text has. */
static void put_ticks(struct buf *out, struct str text)
{
	size_t longest = 0, run = 0;

	for (size_t i = 0; i < text.len; i++) {
		run = text.ptr[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (size_t i = 0; i <= longest; i++)
		buf_byte(out, '`');
}

/* "_" and "*" mean nothing there, and a table ends its cell at any other "|". */
static void put_code_span(struct md_walk *walk, struct str text)
{
	CLEANUP(buf_clear) struct buf printable = textw_printable(text);
	struct str shown = buf_str(&printable), edge = str_has(shown, STR("`")) ? STR(" ") : STR("");

	put_ticks(walk->out, shown);
	buf_add(walk->out, edge);
	for (size_t i = 0; i < shown.len; i++) {
		buf_add(walk->out, shown.ptr[i] == '|' && walk->in_cell ? STR("\\") : STR(""));
		buf_byte(walk->out, shown.ptr[i]);
	}
	buf_add(walk->out, edge);
	put_ticks(walk->out, shown);
}

/* In brackets, so that it has no marks; bytes that would end them are escaped in the address. */
static void put_address(struct buf *out, struct str address)
{
	buf_byte(out, '<');
	for (size_t i = 0; i < address.len; i++) {
		unsigned char byte = (unsigned char)address.ptr[i];

		if (byte <= ' ' || byte == '<' || byte == '>' || byte == '|' || byte == '\\' || byte >= 0x7f)
			buf_printf(out, "%%%02X", byte);
		else
			buf_byte(out, (char)byte);
	}
	buf_byte(out, '>');
}

static void put_piece(struct md_walk *walk, const struct doc_node *node)
{
	bool address = node->kind == DOC_LINK && str_has(node->extra, STR("://"));
	bool strong = node->kind == DOC_SPAN && (node->style == SPAN_STRONG || node->style == SPAN_STRONG_NAME);

	walk->in_line = true;
	if (node->kind == DOC_SPAN && node->style == SPAN_CODE) {
		put_code_span(walk, node->text);
		return;
	}
	if (address) {
		put_address(walk->out, node->extra);
	} else if (node->kind == DOC_BREAK) {
		buf_byte(walk->out, walk->in_cell ? ' ' : '\n');
	} else {
		buf_add(walk->out, strong ? STR("**") : STR(""));
		md_text(walk->out, node->text.len ? node->text : node->extra);
		buf_add(walk->out, strong ? STR("**") : STR(""));
	}
}

/* --- tables */

static void put_md_table_head(struct md_walk *walk, const struct doc_table *table)
{
	buf_byte(walk->out, '|');
	for (size_t i = 0; i < table->count; i++) {
		const struct doc_column *column = &table->columns[i];

		if (!doc_column_shown(column, DOC_MD))
			continue;
		buf_byte(walk->out, ' ');
		md_text(walk->out, doc_column_head(walk->doc, column));
		buf_add(walk->out, STR(" |"));
	}
	buf_add(walk->out, STR("\n|"));
	for (size_t i = 0; i < table->count; i++) {
		if (doc_column_shown(&table->columns[i], DOC_MD))
			buf_add(walk->out, table->columns[i].number ? STR(" ---: |") : STR(" --- |"));
	}
	buf_byte(walk->out, '\n');
}

static void put_md_row(struct md_walk *walk, const struct doc_node *row, const struct doc_table *table)
{
	size_t at = 0;

	buf_byte(walk->out, '|');
	for (const struct doc_node *cell = row->first; cell && at < table->count; cell = cell->next) {
		if (cell->kind != DOC_CELL || !doc_column_shown(&table->columns[at++], DOC_MD))
			continue;
		buf_byte(walk->out, ' ');
		walk->in_line = false;
		put_md_children(walk, cell);
		buf_add(walk->out, STR(" |"));
	}
	buf_byte(walk->out, '\n');
}

static void put_md_table(struct md_walk *walk, const struct doc_node *node)
{
	struct doc_row_walk rows = { .doc = walk->doc, .table = node };
	const struct doc_node *row;

	begin_block(walk);
	put_md_table_head(walk, node->table);
	walk->in_cell = true;
	while ((row = doc_next_row(&rows)))
		put_md_row(walk, row, node->table);
	walk->in_cell = walk->in_line = false;
}

/* --- blocks */

/* Line by line, and tab by tab: these stay, for who copies it. */
static void put_code(struct md_walk *walk, const struct doc_node *node)
{
	struct str lines = node->text, line = { 0 }, piece = { 0 };
	struct str edge = str_has(lines, STR("```")) ? lines : STR("``");

	begin_block(walk);
	put_ticks(walk->out, edge);
	buf_printf(walk->out, "%.*s\n", STR_ARG(node->extra));
	while (lines.len && str_cut(&lines, '\n', &line)) {
		while (str_cut(&line, '\t', &piece)) {
			utf8_printable(walk->out, piece);
			buf_byte(walk->out, line.ptr ? '\t' : '\n');
		}
	}
	put_ticks(walk->out, edge);
	buf_byte(walk->out, '\n');
}

static void begin_heading(struct md_walk *walk, unsigned level)
{
	begin_block(walk);
	buf_printf(walk->out, "%.*s ", (int)level, "######");
}

static void put_item(struct md_walk *walk, const struct doc_node *node)
{
	end_line(walk);
	for (unsigned i = node->style == BLOCK_SUBITEM ? 0 : 1; i < walk->depth; i++)
		buf_add(walk->out, STR("  "));
	buf_add(walk->out, node->mood == MOOD_BAD ? STR("- **!** ") : STR("- "));
	put_md_children(walk, node);
	end_line(walk);
}

/* A further line of an item, or of a cell. */
static void put_more(struct md_walk *walk, const struct doc_node *node)
{
	if (walk->in_line && walk->in_cell) {
		buf_add(walk->out, STR("<br>"));
	} else if (walk->in_line) {
		end_line(walk);
	}
	if (!walk->in_cell && walk->out->len && walk->out->ptr[walk->out->len - 1] == '\n') {
		for (unsigned i = 0; i < walk->depth; i++)
			buf_add(walk->out, STR("  "));
	}
	put_md_children(walk, node);
	if (!walk->in_cell)
		end_line(walk);
}

static void put_paragraph(struct md_walk *walk, const struct doc_node *node)
{
	if (walk->in_cell || walk->depth) {
		put_more(walk, node);
		return;
	}
	begin_block(walk);
	put_md_children(walk, node);
	end_line(walk);
}

static void put_block(struct md_walk *walk, const struct doc_node *node)
{
	switch ((enum doc_block)node->style) {
	case BLOCK_TITLE:
		begin_heading(walk, walk->doc->title_level);
		put_md_children(walk, node);
		end_line(walk);
		break;
	case BLOCK_LIST:
	case BLOCK_NOTES:
	case BLOCK_STEPS:
	case BLOCK_VERDICTS:
		if (!node->first)
			break;
		if (!walk->depth)
			begin_block(walk);
		walk->depth++;
		put_md_children(walk, node);
		walk->depth--;
		break;
	case BLOCK_ITEM:
	case BLOCK_SUBITEM:
	case BLOCK_SENTENCE:
		put_item(walk, node);
		break;
	case BLOCK_GROUP:
	case BLOCK_HEADER:
	case BLOCK_MAIN:
	case BLOCK_CARDS:
	case BLOCK_STRIP:
	case BLOCK_CARD:
	case BLOCK_ANSWER:
	case BLOCK_DETAILS:
	case BLOCK_MORE:
	case BLOCK_INSET:
		put_md_children(walk, node);
		break;
	default:
		put_paragraph(walk, node);
		break;
	}
}

static void put_md_children(struct md_walk *walk, const struct doc_node *node)
{
	for (const struct doc_node *child = node->first; child; child = child->next) {
		if (child->kind == DOC_BLOCK)
			put_block(walk, child);
		else if (child->kind == DOC_SECTION && !doc_is_empty(child)) {
			if (child->text.len) {
				begin_heading(walk, walk->doc->title_level + 1);
				md_text(walk->out, child->text);
				buf_byte(walk->out, '\n');
			}
			put_md_children(walk, child);
		} else if (child->kind == DOC_TABLE)
			put_md_table(walk, child);
		else if (child->kind == DOC_CODE)
			put_code(walk, child);
		else if (child->kind >= DOC_SPAN && child->kind != DOC_BAR)
			put_piece(walk, child);
	}
}

void doc_put_md(const struct doc *doc, struct buf *out)
{
	struct md_walk walk = { .doc = doc, .out = out, .start = out->len };

	put_md_children(&walk, doc->root);
	end_line(&walk);
}
