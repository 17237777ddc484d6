#include "report/htmlw.h"

#include "base/utf8.h"

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
	struct buf id = BUF_INIT(256);

	buf_printf(&id, "%s.%.*s", set, STR_ARG(value));
	html_text(out, catalog_has(LANG_EN, buf_str(&id)) ? catalog_text(lang, buf_str(&id)) : value);
	buf_clear(&id);
}
