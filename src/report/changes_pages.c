/* A comparison as text, Markdown and HTML: the same lines under the same headings. */
#include <stdio.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "report/changes_lines.h"
#include "report/html.h"
#include "report/html_parts.h"
#include "report/mdw.h"
#include "report/text_page.h"

enum { DEFAULT_WIDTH = 80, INDENT = 2 };

/* The lines of one heading from an index on: how many there are, and how many of them are shown. */
static size_t section_of(const struct change_lines *lines, size_t from, bool all, size_t *ret_shown)
{
	size_t to = from;

	while (to < lines->count && strcmp(lines->items[to].heading, lines->items[from].heading) == 0)
		to++;
	*ret_shown = all || to - from <= SHORT_LIST ? to - from : SHORT_LIST;
	return to - from;
}

static struct message more_of(size_t count, char ret_text[24])
{
	struct message message = message_of("diff.more");

	snprintf(ret_text, 24, "%zu", count);
	message_add(&message, "count", str_from(ret_text));
	return message;
}

/* --- text */

static void text_line(struct page *page, const struct change_line *line)
{
	enum color color = line->bad ? COLOR_RED : line->good ? COLOR_GREEN : COLOR_NONE;
	struct buf share = text_percent(line->share_ppm);
	unsigned first = INDENT;

	textw_colored(&page->text, color, line->bad ? STR("! ") : line->good ? STR("+ ") : STR("- "));
	if (line->severity.len) {
		struct str word = text_word(page, "severity", line->severity);

		buf_printf(page->text.out, "%.*s %.*s  ", STR_ARG(word), STR_ARG(buf_str(&share)));
		first += (unsigned)(utf8_columns(word) + 1 + share.len + 2);
	}
	text_message(page, &line->what, first, INDENT);
	buf_clear(&share);
}

void changes_put_text(const struct changes_view *view, const struct render_options *options, struct buf *out)
{
	struct page page = { .text = { out, options->width ? options->width : DEFAULT_WIDTH, options->color },
		.result = view->changes->after,
		.options = options };
	struct change_lines lines = change_lines_of(view);
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	struct buf printable;
	size_t shown, count;

	textw_colored(&page.text, COLOR_BOLD, text_label(&page, "diff.title"));
	text_put(&page, STR("\n"));
	change_put_names(view->changes, "->", &names);
	printable = textw_printable(buf_str(&names));
	textw_wrap(&page.text, buf_str(&printable), 0, INDENT);
	buf_clear(&printable);
	for (size_t i = 0; i < lines.count; i += count) {
		count = section_of(&lines, i, options->all, &shown);
		text_heading(&page, lines.items[i].heading);
		for (size_t j = 0; j < shown; j++)
			text_line(&page, &lines.items[i + j]);
		if (shown < count)
			text_count(&page, "diff.more", count - shown);
	}
	if (!view->changes->finding_count && !view->changes->operator_count) {
		text_put(&page, STR("\n"));
		text_put(&page, text_label(&page, "diff.nothing"));
		text_put(&page, STR("\n"));
	}
	change_lines_clear(&lines);
}

/* --- Markdown */

static void md_message(struct buf *out, enum lang lang, const struct message *message)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	catalog_put(&text, lang, message);
	md_text(out, buf_str(&text));
}

static void md_line(struct buf *out, enum lang lang, const struct change_line *line)
{
	buf_add(out, line->bad ? STR("- **!** ") : STR("- "));
	if (line->severity.len) {
		struct buf share = text_percent(line->share_ppm);

		buf_printf(out, "%.*s %.*s: ", STR_ARG(line->severity), STR_ARG(buf_str(&share)));
		buf_clear(&share);
	}
	md_message(out, lang, &line->what);
	buf_byte(out, '\n');
}

void changes_put_md(const struct changes_view *view, const struct render_options *options, struct buf *out)
{
	struct change_lines lines = change_lines_of(view);
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	size_t shown, count;
	char number[24];

	buf_add(out, STR("## "));
	md_text(out, catalog_text(options->lang, STR("diff.title")));
	buf_add(out, STR("\n\n"));
	change_put_names(view->changes, "->", &names);
	md_text(out, buf_str(&names));
	buf_byte(out, '\n');
	for (size_t i = 0; i < lines.count; i += count) {
		count = section_of(&lines, i, options->all, &shown);
		buf_add(out, STR("\n### "));
		md_text(out, catalog_text(options->lang, str_from(lines.items[i].heading)));
		buf_add(out, STR("\n\n"));
		for (size_t j = 0; j < shown; j++)
			md_line(out, options->lang, &lines.items[i + j]);
		if (shown < count) {
			struct message more = more_of(count - shown, number);

			buf_byte(out, '\n');
			md_message(out, options->lang, &more);
			buf_byte(out, '\n');
		}
	}
	change_lines_clear(&lines);
}

/* --- HTML */

static void html_line(struct buf *out, enum lang lang, const struct change_line *line)
{
	html(out, "<li>");
	if (line->severity.len) {
		html_tag(out, lang, "l-", "severity", line->severity);
		html(out, " ");
		html_percent(out, line->share_ppm);
		html(out, " ");
	} else if (line->bad) {
		html(out, "<strong>!</strong> ");
	}
	html_message(out, lang, &line->what);
	html(out, "</li>\n");
}

void changes_put_html_body(const struct changes_view *view, enum lang lang, struct buf *out)
{
	struct change_lines lines = change_lines_of(view);
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	size_t shown, count;

	change_put_names(view->changes, "\xe2\x86\x92", &names);
	html(out, "<p><strong class=\"name\">");
	html_text(out, buf_str(&names));
	html(out, "</strong></p>\n");
	for (size_t i = 0; i < lines.count; i += count) {
		count = section_of(&lines, i, true, &shown);
		html(out, "<h2>");
		html_label(out, lang, lines.items[i].heading);
		html(out, "</h2>\n<ul class=\"notes\">\n");
		for (size_t j = 0; j < shown; j++)
			html_line(out, lang, &lines.items[i + j]);
		html(out, "</ul>\n");
	}
	if (!view->changes->finding_count && !view->changes->operator_count) {
		html(out, "<p>");
		html_label(out, lang, "diff.nothing");
		html(out, "</p>\n");
	}
	change_lines_clear(&lines);
}

void changes_put_html(const struct changes_view *view, const struct render_options *options, struct buf *out)
{
	html_put_head(view->changes->after, options->lang, "diff.title", out);
	html(out, "<header>\n<h1>");
	html_label(out, options->lang, "diff.title");
	html(out, "</h1>\n</header>\n<main>\n");
	changes_put_html_body(view, options->lang, out);
	html(out, "</main>\n</body>\n</html>\n");
}
