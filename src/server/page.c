#include "server/page.h"

#include "server/access.h"
#include "base/mem.h"
#include "base/url.h"
#include "check/check.h"

static const struct {
	const char *path, *label;
} places[] = {
	{ "/", "page.check" },
	{ "/models", "page.models" },
	{ "/compare", "page.compare" },
	{ "/operators", "page.operators" },
	{ "/targets", "page.targets" },
	{ "/help", "page.help" },
	{ "/tokens", "page.tokens" }, /* for administrators, as the next one */
	{ "/queue", "page.queue" },
};
enum { ADMIN_PLACES = 2 };

void page_label(const struct page *page, const char *id)
{
	html_label(page->out, page->lang, id);
}

void page_pieces(struct page *page, const char *id)
{
	struct str rest = catalog_text(page->lang, str_from(id)), part;

	for (bool code = false; str_cut(&rest, '`', &part); code = !code)
		doc_styled(&page->doc, code ? SPAN_CODE : SPAN_PLAIN, part);
}

void page_prose(struct page *page, const char *id)
{
	doc_open(&page->doc, BLOCK_PARAGRAPH);
	page_pieces(page, id);
	doc_close(&page->doc);
}

/* --- addresses */

static void put_lang(const struct page *page, struct buf *out, char separator)
{
	if (!page->request->lang_given)
		return;
	buf_printf(out, "%clang=", separator);
	url_put(out, lang_name(page->lang));
}

struct str page_address(struct page *page, const char *path, struct str segment)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;

	buf_printf(&address, "%s", path);
	url_put(&address, segment);
	put_lang(page, &address, '?');
	return arena_keep(&page->doc.arena, buf_str(&address));
}

struct str page_address_query(struct page *page, const char *path, const struct parameter *query, size_t count)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;

	buf_printf(&address, "%s", path);
	for (size_t i = 0; i < count; i++) {
		buf_byte(&address, i ? '&' : '?');
		url_put(&address, query[i].name);
		buf_byte(&address, '=');
		url_put(&address, query[i].value);
	}
	put_lang(page, &address, count ? '&' : '?');
	return arena_keep(&page->doc.arena, buf_str(&address));
}

struct str page_origin(struct page *page)
{
	struct str host = page->request->headers[HEADER_HOST];

	return doc_format_of(&page->doc, "%s://%.*s", page->request->caller.https ? "https" : "http",
		STR_ARG(host.len ? host : STR("127.0.0.1:8787")));
}

void page_href(struct page *page, const char *path, struct str segment)
{
	html_attribute(page->out, "href", page_address(page, path, segment));
}

void page_keep_lang(const struct page *page)
{
	if (!page->request->lang_given)
		return;
	html(page->out, "<input type=\"hidden\" name=\"lang\"");
	html_attribute(page->out, "value", lang_name(page->lang));
	html(page->out, ">");
}

void page_end_form(const struct page *page, const char *button)
{
	page_keep_lang(page);
	html(page->out, "<button type=\"submit\">");
	page_label(page, button);
	html(page->out, "</button></form>\n");
}

void page_put_csrf(const struct page *page)
{
	char csrf[SHA256_HEX_BYTES];

	if (!page->request->caller.session.len)
		return;
	access_csrf(page->request, csrf);
	html(page->out, "<input type=\"hidden\" name=\"csrf\"");
	html_attribute(page->out, "value", str_from(csrf));
	html(page->out, ">\n");
}

static void put_logout(struct page *page)
{
	if (!page->request->caller.session.len)
		return;
	html(page->out, "<form method=\"post\" enctype=\"multipart/form-data\" action=\"/logout\">");
	page_put_csrf(page);
	html(page->out, "<button type=\"submit\">");
	page_label(page, "page.logout");
	html(page->out, "</button></form>\n");
}

void page_title(struct page *page, const char *title, const char *about)
{
	doc_title(&page->doc, title);
	doc_close(&page->doc);
	page_prose(page, about);
}

void page_reply(struct reply *reply, const struct request *request)
{
	enum { OK = 200 };

	reply_start(reply, OK, MEDIA_HTML);
	reply_language(reply, request);
	reply_header(reply, "Cache-Control", STR(CACHE_CHECK));
}

void page_go_on(struct reply *reply, struct request *request, struct str address)
{
	enum { SEE_OTHER = 303 };
	CLEANUP(buf_clear) struct buf location = BUF_UNLIMITED;

	buf_add(&location, address);
	if (request->lang_given)
		buf_printf(&location, "%clang=%.*s", memchr(address.ptr, '?', address.len) ? '&' : '?',
			STR_ARG(lang_name(request->lang)));
	reply_start(reply, SEE_OTHER, NULL);
	reply_header(reply, "Cache-Control", STR("no-store"));
	reply_header_copy(reply, request, "Location", &location);
}

/* --- the frame */

static void put_head(struct page *page, struct str title)
{
	html(page->out, "<!DOCTYPE html>\n<html");
	html_attribute(page->out, "lang", lang_name(page->lang));
	html(page->out, ">\n<head>\n<meta charset=\"utf-8\">\n"
			"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
	html_text(page->out, title);
	html(page->out, " \xc2\xb7 opcheck</title>\n<link rel=\"icon\" type=\"image/svg+xml\" href=\"");
	asset_put_address(page->out, "/assets/icon.svg");
	html(page->out, "\">\n<link rel=\"stylesheet\" href=\"");
	asset_put_address(page->out, "/assets/report.css");
	html(page->out, "\">\n<link rel=\"stylesheet\" href=\"");
	asset_put_address(page->out, "/assets/app.css");
	html(page->out, "\">\n<script src=\"");
	asset_put_address(page->out, "/assets/app.js");
	html(page->out, "\" defer></script>\n</head>\n<body>\n");
}

/* Whether this is the page, or one below it, that the place leads to. */
static bool is_here(const struct page *page, const char *path)
{
	return strcmp(path, "/") == 0 ? str_eq(page->request->path, STR("/"))
				      : str_starts(page->request->path, str_from(path));
}

static void put_places(struct page *page)
{
	bool admin = page->request->caller.scope >= SCOPE_ADMIN;
	size_t count = ARRAY_SIZE(places) - (admin ? 0 : ADMIN_PLACES);

	html(page->out, "<nav class=\"bar-top\"");
	html_attribute(page->out, "aria-label", catalog_text(page->lang, STR("page.navigation")));
	html(page->out, "><a class=\"brand\"");
	page_href(page, "/", STR(""));
	html(page->out, ">opcheck</a><ul>\n");
	for (size_t i = 0; i < count; i++) {
		html(page->out, "<li><a");
		page_href(page, places[i].path, STR(""));
		if (is_here(page, places[i].path))
			html(page->out, " aria-current=\"page\"");
		html(page->out, ">");
		page_label(page, places[i].label);
		html(page->out, "</a></li>\n");
	}
	html(page->out, "</ul>");
}

/* This very page in another language, its query kept. */
static void put_language(struct page *page, enum lang lang, const char *name)
{
	html(page->out, "<a href=\"?");
	for (size_t i = 0; i < page->request->parameters.count; i++) {
		const struct parameter *parameter = &page->request->parameters.items[i];

		if (str_eq(parameter->name, STR("lang")))
			continue;
		url_put(page->out, parameter->name);
		html(page->out, "=");
		url_put(page->out, parameter->value);
		html(page->out, "&amp;");
	}
	html(page->out, "lang=");
	url_put(page->out, lang_name(lang));
	html(page->out, "\"");
	html_attribute(page->out, "lang", lang_name(lang));
	html_attribute(page->out, "hreflang", lang_name(lang));
	html(page->out, ">");
	html_text(page->out, str_from(name));
	html(page->out, "</a>");
}

static void put_languages(struct page *page)
{
	static const char *const names[LANG_COUNT] = {
		[LANG_EN] = "English", [LANG_ZH_CN] = "\xe4\xb8\xad\xe6\x96\x87"
	};

	html(page->out, "<p class=\"languages\">");
	for (size_t i = 0; i < LANG_COUNT; i++) {
		if (i != page->lang)
			put_language(page, (enum lang)i, names[i]);
	}
	html(page->out, "</p>");
}

struct page page_begin_bare(const struct request *request, struct buf *out, struct str title)
{
	struct page page = { out, request, request->lang,
		doc_new(DOC_HTML, &(struct render_options){ .lang = request->lang }) };

	put_head(&page, title);
	html(out, "<a class=\"skip\" href=\"#main\">");
	page_label(&page, "page.skip");
	html(out, "</a>\n");
	put_places(&page);
	if (!str_eq(request->method, STR("POST"))) /* what answers a form cannot be asked for again */
		put_languages(&page);
	put_logout(&page);
	html(out, "</nav>\n");
	return page;
}

struct page page_begin(const struct request *request, struct buf *out, struct str title)
{
	struct page page = page_begin_bare(request, out, title);

	html(out, "<main id=\"main\">\n");
	return page;
}

void page_end_bare(struct page *page)
{
	html(page->out, "<footer class=\"soft\">opcheck ");
	html_text(page->out, str_from(check_version()));
	html(page->out, "</footer>\n</body>\n</html>\n");
}

void page_end(struct page *page)
{
	doc_put(&page->doc, page->out);
	html(page->out, "</main>\n");
	page_end_bare(page);
}
