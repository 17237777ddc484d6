#include "report/doc/html_doc.h"

#include <inttypes.h>

#include "base/memory/mem.h"
#include "report/doc/doc_build.h"
#include "report/doc/markup.h"

struct html_walk {
	const struct doc *doc;
	struct buf *out;
	bool in_cell;    /* no line feeds between elements */
	bool in_main;    /* of the page itself: its sections are in the contents */
	unsigned titles; /* of those before */
};

static const struct {
	const char *tag, *css;
} looks[BLOCK_COUNT] = {
	[BLOCK_TITLE] = { "h1", NULL },
	[BLOCK_HEADER] = { "header", NULL },
	[BLOCK_MAIN] = { "main", NULL },
	[BLOCK_CARDS] = { "div", "cards" },
	[BLOCK_STRIP] = { "div", "strip" },
	[BLOCK_CARD] = { "section", "card" },
	[BLOCK_CARD_NAME] = { "h3", NULL },
	[BLOCK_ANSWER] = { "section", "card answer" },
	[BLOCK_PARAGRAPH] = { "p", NULL },
	[BLOCK_META] = { "p", "meta" },
	[BLOCK_META_UNDER] = { "p", "meta" },
	[BLOCK_SOFT] = { "p", "soft" },
	[BLOCK_NO_SCRIPT] = { "p", "no-js" },
	[BLOCK_LINE] = { "div", NULL },
	[BLOCK_LINE_SOFT] = { "div", "soft name" },
	[BLOCK_FIELD] = { "p", NULL },
	[BLOCK_UNDER] = { "p", NULL },
	[BLOCK_UNDER_MARK] = { "p", NULL },
	[BLOCK_ADVICE] = { "div", "advice" },
	[BLOCK_FOLLOWER] = { "div", "follower" },
	[BLOCK_LIST] = { "ul", NULL },
	[BLOCK_NOTES] = { "ul", "notes" },
	[BLOCK_STEPS] = { "ol", "history" },
	[BLOCK_SOURCES] = { "ol", "sources" },
	[BLOCK_VERDICTS] = { "ul", "verdicts" },
	[BLOCK_ITEM] = { "li", NULL },
	[BLOCK_SUBITEM] = { "li", NULL },
	[BLOCK_SENTENCE] = { "li", NULL },
	[BLOCK_DETAILS] = { "details", NULL },
	[BLOCK_MORE] = { "details", "more" },
	[BLOCK_PLACE] = { "details", "place" },
	[BLOCK_PLACE_LEAF] = { "p", "place" },
	[BLOCK_SUMMARY] = { "summary", NULL },
	[BLOCK_SUMMARY_NAME] = { "summary", "name" },
	[BLOCK_INSET] = { "div", NULL },
	[BLOCK_TITLE_NAME] = { "h1", "name" },
	[BLOCK_TABS] = { "div", "tabs" },
	[BLOCK_RECENT] = { "div", "recent" },
	[BLOCK_KEYS] = { "dl", NULL },
	[BLOCK_KEY] = { "dt", NULL },
	[BLOCK_VALUE] = { "dd", NULL },
	[BLOCK_VALUE_FIGURE] = { "dd", "figure" },
};

static void put_html_children(struct html_walk *walk, const struct doc_node *node);

static void end_block(struct html_walk *walk)
{
	if (!walk->in_cell)
		buf_byte(walk->out, '\n');
}

/* The start tag of an element with its class and the node's attributes. */
static void open_element(struct html_walk *walk, const char *tag, const char *css, const struct doc_node *node)
{
	buf_printf(walk->out, css ? "<%s class=\"%s\"" : "<%s", tag, css);
	for (const struct doc_node *child = node->first; child; child = child->next) {
		if (child->kind == DOC_ATTRIBUTE && child->text.len)
			html_attribute(walk->out, child->extra.ptr, child->text);
		else if (child->kind == DOC_ATTRIBUTE)
			buf_printf(walk->out, " %s", child->extra.ptr);
	}
	html(walk->out, ">");
}

/* --- pieces of a line */

static void put_span(struct html_walk *walk, const struct doc_node *node)
{
	static const struct {
		struct str open, close;
	} spans[] = {
		[SPAN_PLAIN] = { STR(""), STR("") },
		[SPAN_NAME] = { STR("<span class=\"name\">"), STR("</span>") },
		[SPAN_SOFT] = { STR("<span class=\"soft\">"), STR("</span>") },
		[SPAN_STRONG] = { STR("<strong>"), STR("</strong>") },
		[SPAN_STRONG_NAME] = { STR("<strong class=\"name\">"), STR("</strong>") },
		[SPAN_CODE] = { STR("<code>"), STR("</code>") },
	};

	buf_add(walk->out, spans[node->style].open);
	html_text(walk->out, node->text);
	buf_add(walk->out, spans[node->style].close);
}

static void put_tag(struct html_walk *walk, const struct doc_node *node)
{
	static const char prefixes[] = {
		[SET_STATUS] = 's', [SET_VERDICT] = 'v', [SET_SEVERITY] = 'l', [SET_GATE] = 'g'
	};

	buf_printf(walk->out, "<span class=\"tag %c-", prefixes[node->style]);
	html_text(walk->out, node->extra);
	buf_add(walk->out, node->doubt ? STR(" doubt\">") : STR("\">"));
	html_text(walk->out, node->text);
	html(walk->out, "</span>");
}

/* An address of this page, of this service or site, or a public one. */
static void put_link(struct html_walk *walk, const struct doc_node *node)
{
	static const struct str begins[] = { STR("/"), STR("#"), STR("./"), STR("../") };
	bool here = ANY(i, sizeof(begins) / sizeof(begins[0]), str_starts(node->extra, begins[i]));

	if (!here) {
		html_link(walk->out, node->extra);
		return;
	}
	buf_add(walk->out, node->style == SPAN_NAME   ? STR("<a class=\"name\"")
			   : node->style == SPAN_NEXT ? STR("<a rel=\"next\"")
						      : STR("<a"));
	html_attribute(walk->out, "href", node->extra);
	html(walk->out, ">");
	html_text(walk->out, node->text);
	html(walk->out, "</a>");
}

/* From 0 to 100 %: the certain part, then the possible part. */
static void put_bar(struct html_walk *walk, const struct doc_node *node)
{
	html(walk->out, "<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
			"<rect class=\"track\" width=\"1000\" height=\"10\"/>");
	buf_printf(walk->out,
		"<rect class=\"hi\" height=\"10\" width=\"%" PRId32
		"\"/><rect class=\"lo\" height=\"10\" width=\"%" PRId32 "\"/></svg>",
		node->bar_ppm[1] / 1000, node->bar_ppm[0] / 1000);
}

/* --- tables */

static void put_html_table_head(struct html_walk *walk, const struct doc_table *table)
{
	html(walk->out, "<thead><tr>");
	for (size_t i = 0; i < table->count; i++) {
		const struct doc_column *column = &table->columns[i];

		if (!doc_column_shown(column, DOC_HTML))
			continue;
		buf_add(walk->out, column->number ? STR("<th scope=\"col\" class=\"n\">") : STR("<th scope=\"col\">"));
		html_text(walk->out, doc_column_head(walk->doc, column));
		html(walk->out, "</th>");
	}
	html(walk->out, "</tr></thead>\n");
}

static void put_html_row(struct html_walk *walk, const struct doc_node *row, const struct doc_table *table)
{
	size_t at = 0;

	open_element(walk, "tr", table->row_css, row);
	for (const struct doc_node *cell = row->first; cell && at < table->count; cell = cell->next) {
		const struct doc_column *column = &table->columns[at];

		if (cell->kind != DOC_CELL)
			continue;
		at++;
		if (!doc_column_shown(column, DOC_HTML))
			continue;
		open_element(walk, "td", column->number ? "n" : column->css, cell);
		put_html_children(walk, cell);
		html(walk->out, "</td>");
	}
	html(walk->out, "</tr>\n");
}

static void put_html_table(struct html_walk *walk, const struct doc_node *node)
{
	struct doc_row_walk rows = { .doc = walk->doc, .table = node };
	const struct doc_node *row;
	bool in_cell = walk->in_cell;

	html(walk->out, "<div class=\"scroll\"><table");
	if (node->table->name)
		buf_printf(walk->out, " id=\"%s\"", node->table->name);
	html(walk->out, ">\n");
	if (!node->table->bare)
		put_html_table_head(walk, node->table);
	html(walk->out, "<tbody>\n");
	walk->in_cell = true;
	while ((row = doc_next_row(&rows)))
		put_html_row(walk, row, node->table);
	walk->in_cell = in_cell;
	html(walk->out, "</tbody>\n</table></div>");
	end_block(walk);
}

/* --- blocks */

/* Tabs stay, for who copies it; in other texts they are shown as what they are. */
static void put_code_line(struct buf *out, struct str line)
{
	struct str piece;

	while (str_cut(&line, '\t', &piece)) {
		html_text(out, piece);
		buf_byte(out, line.ptr ? '\t' : '\n');
	}
}

static void put_code(struct html_walk *walk, const struct doc_node *node)
{
	struct str lines = node->text, line = { 0 };

	html(walk->out, "<pre><code>");
	/* line by line: a line feed in a text would be shown as one */
	while (lines.len && str_cut(&lines, '\n', &line))
		put_code_line(walk->out, line);
	html(walk->out, "</code></pre>\n");
}

static void put_section(struct html_walk *walk, const struct doc_node *node)
{
	if (doc_is_empty(node))
		return;
	if (node->text.len) {
		if (walk->in_main)
			buf_printf(walk->out, "<h2 id=\"part-%u\">", ++walk->titles);
		else
			html(walk->out, "<h2>");
		html_text(walk->out, node->text);
		html(walk->out, "</h2>\n");
	}
	put_html_children(walk, node);
}

/* Returns the number of titled sections up to and within it; writes links to them if out is given. */
static unsigned put_titles(const struct doc_node *node, unsigned before, struct buf *out)
{
	for (const struct doc_node *child = node->first; child; child = child->next) {
		if (child->kind != DOC_SECTION || doc_is_empty(child))
			continue;
		before += child->text.len > 0;
		if (child->text.len && out) {
			buf_printf(out, "<li><a href=\"#part-%u\">", before);
			html_text(out, child->text);
			html(out, "</a></li>\n");
		}
		before = put_titles(child, before, out);
	}
	return before;
}

/* The contents of the page, under its header; not made by a script, so that the page does not move once shown. */
static void put_contents(struct html_walk *walk, const struct doc_node *header)
{
	enum { TITLES_WORTH_A_LIST = 4 };
	const struct doc_node *body = header->next;

	if (!body || body->kind != DOC_BLOCK || body->style != BLOCK_MAIN ||
		put_titles(body, 0, NULL) < TITLES_WORTH_A_LIST)
		return;
	html(walk->out, "<ul class=\"contents\">\n");
	put_titles(body, 0, walk->out);
	html(walk->out, "</ul>\n");
}

static void put_block(struct html_walk *walk, const struct doc_node *node)
{
	const char *tag = looks[node->style].tag;
	bool in_main = walk->in_main;

	if (tag)
		open_element(walk, tag, looks[node->style].css, node);
	walk->in_main = node->style == BLOCK_MAIN;
	put_html_children(walk, node);
	walk->in_main = in_main;
	if (node->style == BLOCK_HEADER)
		put_contents(walk, node);
	if (tag) {
		buf_printf(walk->out, "</%s>", tag);
		end_block(walk);
	}
}

static void put_figure(struct html_walk *walk, const struct doc_node *node)
{
	node->figure->put(walk->out, walk->doc->options.lang, node->figure->ctx);
}

static void put_break(struct html_walk *walk, const struct doc_node *node UNUSED)
{
	html(walk->out, " ");
}

/* Rows and cells are written by their table, attributes by their element. */
static void (*const put_node[])(struct html_walk *, const struct doc_node *) = {
	[DOC_BLOCK] = put_block,
	[DOC_SECTION] = put_section,
	[DOC_TABLE] = put_html_table,
	[DOC_CODE] = put_code,
	[DOC_FIGURE] = put_figure,
	[DOC_SPAN] = put_span,
	[DOC_TAG] = put_tag,
	[DOC_LINK] = put_link,
	[DOC_BAR] = put_bar,
	[DOC_BREAK] = put_break,
	[DOC_ROW] = NULL,
	[DOC_CELL] = NULL,
	[DOC_ATTRIBUTE] = NULL,
};

static void put_html_children(struct html_walk *walk, const struct doc_node *node)
{
	for (const struct doc_node *child = node->first; child; child = child->next) {
		if (put_node[child->kind])
			put_node[child->kind](walk, child);
	}
}

void doc_put_html_node(const struct doc *doc, const struct doc_node *node, struct buf *out)
{
	struct html_walk walk = { .doc = doc, .out = out, .in_cell = true };

	if (put_node[node->kind])
		put_node[node->kind](&walk, node);
}

void doc_put_html(const struct doc *doc, struct buf *out)
{
	struct html_walk walk = { .doc = doc, .out = out };

	put_html_children(&walk, doc->root);
}
