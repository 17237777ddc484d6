#include "report/doc/markup.h"

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"

static struct str entity(char byte)
{
	switch (byte) {
	case '&':
		return STR("&amp;");
	case '<':
		return STR("&lt;");
	case '>':
		return STR("&gt;");
	case '"':
		return STR("&quot;");
	case '\'':
		return STR("&#39;");
	default:
		return STR("");
	}
}

void html_text(struct buf *out, struct str text)
{
	struct buf printable = BUF_UNLIMITED;
	size_t start = 0;

	utf8_printable(&printable, text);
	text = buf_str(&printable);
	for (size_t i = 0; i < text.len; i++) {
		struct str escaped = entity(text.ptr[i]);

		if (!escaped.len)
			continue;
		buf_add(out, str_sub(text, start, i));
		buf_add(out, escaped);
		start = i + 1;
	}
	buf_add(out, str_skip(text, start));
	buf_clear(&printable);
}

void html_attribute(struct buf *out, const char *name, struct str value)
{
	buf_printf(out, " %s=\"", name);
	html_text(out, value);
	buf_byte(out, '"');
}

void html_link(struct buf *out, struct str address)
{
	bool web = str_starts(address, STR("https://")) || str_starts(address, STR("http://"));

	if (web) {
		html(out, "<a rel=\"noreferrer\"");
		html_attribute(out, "href", address);
		html(out, ">");
	}
	html_text(out, address);
	if (web)
		html(out, "</a>");
}

void html_label(struct buf *out, enum lang lang, const char *id)
{
	html_text(out, catalog_text(lang, str_from(id)));
}

void html_word(struct buf *out, enum lang lang, const char *set, struct str value)
{
	html_text(out, catalog_word(lang, set, value));
}

/* --- Markdown */

void md_text(struct buf *out, struct str text)
{
	struct buf printable = BUF_UNLIMITED;
	struct str all;

	utf8_printable(&printable, text);
	all = buf_str(&printable);
	for (size_t i = 0; i < all.len; i++) {
		char byte = all.ptr[i], before = i ? all.ptr[i - 1] : ' ';
		bool mentions = byte == '@' && !is_alpha(before) && !is_digit(before); /* "npu@v2.7.1" does not */

		if (byte == '<' || byte == '&')
			buf_add(out, entity(byte));
		else if (byte == '#' || mentions)
			buf_printf(out, "&#%d;", byte);
		else if (str_has(STR("|`\\*_[]~"), str_sub(all, i, i + 1)))
			buf_printf(out, "\\%c", byte);
		else
			buf_byte(out, byte);
	}
	buf_clear(&printable);
}

static uint64_t count_lines(struct str text, struct str head)
{
	struct str line;
	uint64_t count = 0;

	while (text.len && str_cut(&text, '\n', &line))
		count += str_starts(line, head);
	return count;
}

void md_put_head(struct buf *out, enum lang lang, struct str text, size_t most)
{
	enum { NOTE_BYTES = 400 }; /* for the note behind the cut */
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	uint64_t left;
	struct str head = text;

	if (text.len > most)
		head.len = most > NOTE_BYTES ? most - NOTE_BYTES : 0;
	while (head.len < text.len && head.len && head.ptr[head.len - 1] != '\n')
		head.len--;
	buf_add(out, head);
	if (head.len == text.len)
		return;
	if (count_lines(head, STR("```")) % 2)
		buf_add(out, STR("```\n"));
	left = count_lines(str_skip(text, head.len), STR(""));
	buf_byte(out, '\n');
	catalog_put(out, lang, MESSAGE(&arena, "report.text-cut", NUMBER("count", left)));
	buf_byte(out, '\n');
}
