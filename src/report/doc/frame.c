#include "report/doc/frame.h"

#include "base/memory/mem.h"
#include "report/doc/markup.h"

static void put_file_link(struct buf *out, const char *element, const char *attribute, struct str address)
{
	if (!address.len)
		return;
	buf_printf(out, "<%s", element);
	html_attribute(out, attribute, address);
	html(out, ">\n");
}

void frame_put_head(struct buf *out, const struct frame *frame)
{
	html(out, "<!DOCTYPE html>\n<html");
	html_attribute(out, "lang", lang_name(frame->lang));
	html(out, ">\n<head>\n<meta charset=\"utf-8\">\n"
		  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
	if (frame->policy) {
		html(out, FRAME_OF_FILE "\n");
		put_file_link(out, "meta http-equiv=\"Content-Security-Policy\"", "content", str_from(frame->policy));
	}
	html(out, "<title>");
	html_text(out, frame->title);
	html(out, " \xc2\xb7 opcheck</title>\n");
	put_file_link(out, "link rel=\"icon\" type=\"image/svg+xml\"", "href", frame->icon);
	for (size_t i = 0; i < ARRAY_SIZE(frame->styles); i++)
		put_file_link(out, "link rel=\"stylesheet\"", "href", frame->styles[i]);
	for (size_t i = 0; i < ARRAY_SIZE(frame->scripts) && frame->scripts[i].len; i++) {
		html(out, "<script");
		html_attribute(out, "src", frame->scripts[i]);
		html(out, " defer></script>\n");
	}
	html(out, "</head>\n<body>\n<a class=\"skip\" href=\"#main\">");
	html_label(out, frame->lang, "page.skip");
	html(out, "</a>\n");
}

void frame_put_navigation(
	struct buf *out, enum lang lang, struct str home, const struct frame_link *links, size_t count)
{
	html(out, "<nav class=\"bar-top\"");
	html_attribute(out, "aria-label", catalog_text(lang, STR("page.navigation")));
	html(out, "><a class=\"brand\"");
	html_attribute(out, "href", home);
	html(out, ">opcheck</a><ul>\n");
	for (size_t i = 0; i < count; i++) {
		html(out, "<li><a");
		html_attribute(out, "href", links[i].address);
		if (links[i].here)
			html(out, " aria-current=\"page\"");
		html(out, ">");
		html_text(out, links[i].text);
		html(out, "</a></li>\n");
	}
	html(out, "</ul>");
}

void frame_put_language(struct buf *out, enum lang other, struct str address)
{
	html(out, "<a");
	html_attribute(out, "href", address);
	html_attribute(out, "lang", lang_name(other));
	html_attribute(out, "hreflang", lang_name(other));
	html(out, ">");
	html_label(out, other, "lang.name");
	html(out, "</a>");
}

void frame_put_foot(struct buf *out, struct str text)
{
	html(out, "<footer class=\"soft\">opcheck ");
	html_text(out, text);
	html(out, "</footer>\n</body>\n</html>\n");
}
