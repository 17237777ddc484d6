#include "report/doc/text_doc.h"

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "report/doc/doc_build.h"
#include "report/doc/textw.h"

enum { DEFAULT_WIDTH = 80 };

struct text_walk {
	const struct doc *doc;
	struct textw text;
	struct buf line; /* pieces that are not yet wrapped */
	unsigned column; /* taken of the current line */
};

/* Prefix of a block in text, and indent of its further lines. */
static const struct {
	const char *lead;
	unsigned hang;
} looks[BLOCK_COUNT] = {
	[BLOCK_TITLE] = { "", 2 },
	[BLOCK_META] = { "", 2 },
	[BLOCK_META_UNDER] = { "  ", 2 },
	[BLOCK_FIELD] = { "  ", 2 },
	[BLOCK_UNDER] = { "     ", 5 },
	[BLOCK_UNDER_MARK] = { "      ", 6 },
	[BLOCK_ADVICE] = { "-> ", 3 },
	[BLOCK_LINE_SOFT] = { "  ", 2 },
	[BLOCK_ITEM] = { "- ", 2 },
	[BLOCK_SUBITEM] = { "  - ", 4 },
	[BLOCK_SENTENCE] = { "  ", 2 },
};

static const enum color colors[] = {
	[MOOD_NONE] = COLOR_NONE,
	[MOOD_BAD] = COLOR_RED,
	[MOOD_FAIR] = COLOR_YELLOW,
	[MOOD_GOOD] = COLOR_GREEN,
	[MOOD_DIM] = COLOR_DIM,
	[MOOD_BOLD] = COLOR_BOLD,
};

static void put_node(struct text_walk *walk, const struct doc_node *node, unsigned indent);
static void put_text_children(struct text_walk *walk, const struct doc_node *node, unsigned first, unsigned hang);

static void put_blanks(struct text_walk *walk, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		buf_byte(walk->text.out, ' ');
	walk->column += count;
}

static void end_line(struct text_walk *walk)
{
	buf_byte(walk->text.out, '\n');
	walk->column = 0;
}

/* Writes the pieces gathered, on from where the line is. */
static void flush_line(struct text_walk *walk, unsigned first, unsigned hang)
{
	if (!walk->line.len)
		return;
	if (!walk->column)
		put_blanks(walk, first);
	textw_wrap(&walk->text, buf_str(&walk->line), walk->column, hang);
	walk->column = 0;
	buf_reset(&walk->line);
}

static void gather_text(struct text_walk *walk, const struct doc_node *piece)
{
	struct str address = piece->kind == DOC_LINK ? piece->extra : STR("");

	utf8_printable(&walk->line, piece->text.len ? piece->text : address);
}

/* A coloured piece, behind what is gathered. */
static void put_lead(struct text_walk *walk, enum doc_mood mood, struct str text, unsigned first)
{
	if (!walk->column)
		put_blanks(walk, first);
	buf_add(walk->text.out, buf_str(&walk->line));
	walk->column += (unsigned)utf8_columns(buf_str(&walk->line));
	buf_reset(&walk->line);
	textw_colored(&walk->text, colors[mood], text);
	walk->column += (unsigned)utf8_columns(text);
}

/* --- tables */

static unsigned fill_width(const struct text_walk *walk, const struct doc_table *table)
{
	unsigned taken = 0;

	for (size_t i = 0; i < table->count; i++) {
		if (doc_column_shown(&table->columns[i], DOC_TEXT))
			taken += table->columns[i].gap + table->columns[i].width;
	}
	return walk->text.width > taken ? walk->text.width - taken : 1;
}

static bool is_last(const struct doc_table *table, size_t at)
{
	for (size_t i = at + 1; i < table->count; i++) {
		if (doc_column_shown(&table->columns[i], DOC_TEXT))
			return false;
	}
	return true;
}

/* One cell of a fixed width; the last one is not padded. */
static void put_fixed(
	struct text_walk *walk, const struct doc_column *column, struct str text, unsigned width, bool last)
{
	if (column->fit == COLUMN_SPILL && utf8_columns(text) > width) {
		enum { SPILL_HANG = 5 };

		textw_wrap(&walk->text, text, column->gap, SPILL_HANG);
		textw_column(&walk->text, STR(""), column->gap, false);
		text = STR("");
	}
	if (last && !column->number && utf8_columns(text) <= width)
		buf_add(walk->text.out, text);
	else
		textw_column(&walk->text, text, width, column->number);
}

static void put_text_table_head(struct text_walk *walk, const struct doc_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct doc_column *column = &table->columns[i];
		struct str text = doc_column_head(walk->doc, column);

		if (!doc_column_shown(column, DOC_TEXT))
			continue;
		put_blanks(walk, column->gap);
		if (column->fit == COLUMN_WRAP)
			buf_add(walk->text.out, text);
		else
			put_fixed(walk, column, text, column->width ? column->width : fill_width(walk, table),
				is_last(table, i));
	}
	end_line(walk);
}

static void put_cell(
	struct text_walk *walk, const struct doc_node *cell, const struct doc_column *column, unsigned width, bool last)
{
	CLEANUP(buf_clear) struct buf padded = BUF_UNLIMITED;
	struct text_walk plain = { walk->doc, walk->text, BUF_UNLIMITED, 0 };
	enum doc_mood mood = MOOD_NONE;

	for (const struct doc_node *piece = cell->first; piece; piece = piece->next) {
		if (piece->kind < DOC_SPAN)
			continue;
		gather_text(&plain, piece);
		mood = mood ? mood : piece->mood;
	}
	if (mood)
		plain.text.out = &padded;
	put_fixed(&plain, column, buf_str(&plain.line), width, last);
	if (mood)
		textw_colored(&walk->text, colors[mood], buf_str(&padded));
	walk->column += width;
	buf_clear(&plain.line);
}

static void put_text_row(struct text_walk *walk, const struct doc_node *row, const struct doc_table *table)
{
	const struct doc_node *cell = row->first;

	for (size_t i = 0; i < table->count && cell; i++, cell = cell->next) {
		const struct doc_column *column = &table->columns[i];

		while (cell && cell->kind != DOC_CELL)
			cell = cell->next;
		if (!cell || !doc_column_shown(column, DOC_TEXT))
			continue;
		put_blanks(walk, column->gap);
		if (column->fit == COLUMN_WRAP)
			put_text_children(walk, cell, column->hang ? column->hang : walk->column,
				column->hang ? column->hang : walk->column);
		else
			put_cell(walk, cell, column, column->width ? column->width : fill_width(walk, table),
				is_last(table, i));
	}
	if (walk->column)
		end_line(walk);
	for (; cell; cell = cell->next)
		put_node(walk, cell, 0);
}

/* --- blocks */

static void put_code(struct text_walk *walk, const struct doc_node *node)
{
	struct str lines = node->text, line = { 0 };

	end_line(walk);
	while (lines.len && str_cut(&lines, '\n', &line)) {
		struct buf printable = textw_printable(line);

		buf_printf(walk->text.out, "%s%s\n", line.len ? "    " : "", buf_text(&printable));
		buf_clear(&printable);
	}
}

static void put_section(struct text_walk *walk, const struct doc_node *node)
{
	if (doc_is_empty(node))
		return;
	end_line(walk);
	if (node->text.len) {
		textw_colored(&walk->text, COLOR_BOLD, node->text);
		end_line(walk);
	}
	put_text_children(walk, node, 0, 0);
}

static void put_block(struct text_walk *walk, const struct doc_node *node, unsigned indent)
{
	struct str lead = str_from(looks[node->style].lead ? looks[node->style].lead : "");
	unsigned hang = indent + looks[node->style].hang;

	if (node->mood)
		lead = node->mood == MOOD_BAD ? STR("! ") : STR("+ ");
	if (lead.len)
		put_lead(walk, node->mood, lead, indent);
	put_text_children(walk, node, walk->column ? walk->column : indent, hang);
	if (walk->column && node->style != BLOCK_GROUP)
		end_line(walk);
}

static void put_node(struct text_walk *walk, const struct doc_node *node, unsigned indent)
{
	struct doc_row_walk rows = { .doc = walk->doc, .table = node };
	const struct doc_node *row;

	switch (node->kind) {
	case DOC_BLOCK:
		put_block(walk, node, indent);
		break;
	case DOC_SECTION:
		put_section(walk, node);
		break;
	case DOC_TABLE:
		if (!node->table->bare)
			put_text_table_head(walk, node->table);
		while ((row = doc_next_row(&rows)))
			put_text_row(walk, row, node->table);
		break;
	case DOC_CODE:
		put_code(walk, node);
		break;
	default: /* rows and cells are written by their table; the rest says nothing in text */
		break;
	}
}

static void put_text_children(struct text_walk *walk, const struct doc_node *node, unsigned first, unsigned hang)
{
	for (const struct doc_node *child = node->first; child; child = child->next) {
		if (child->kind > DOC_ATTRIBUTE && child->kind != DOC_BREAK) {
			if (child->mood &&
				walk->column + utf8_columns(buf_str(&walk->line)) + utf8_columns(child->text) <=
					walk->text.width)
				put_lead(walk, child->mood, child->text, first);
			else
				gather_text(walk, child);
			continue;
		}
		flush_line(walk, first, hang);
		put_node(walk, child, hang);
		first = child->kind == DOC_BREAK ? hang : first;
	}
	flush_line(walk, first, hang);
}

void doc_put_text(const struct doc *doc, struct buf *out)
{
	struct text_walk walk = { .doc = doc,
		.text = { out, doc->options.width ? doc->options.width : DEFAULT_WIDTH, doc->options.color },
		.line = BUF_UNLIMITED };

	put_text_children(&walk, doc->root, 0, 0);
	buf_clear(&walk.line);
}
