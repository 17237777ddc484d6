#include "report/html_parts.h"

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

void html_tag(struct buf *out, enum lang lang, const char *prefix, const char *set, struct str value)
{
	html(out, "<span class=\"tag ");
	buf_printf(out, "%s", prefix);
	html_text(out, value);
	html(out, "\">");
	html_word(out, lang, set, value);
	html(out, "</span>");
}
