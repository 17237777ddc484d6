#include "server/pages/page.h"

#include <assert.h>

#include "base/memory/mem.h"
#include "base/value/url.h"
#include "check/check.h"
#include "report/doc/doc_put.h"
#include "report/doc/frame.h"
#include "server/http/access.h"
#include "server/http/asset.h"

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

/* --- markup */

static void put_csrf(struct page *page)
{
	char csrf[SHA256_HEX_BYTES];

	if (!page->request || !page->request->caller.session.len)
		return;
	access_csrf(page->request, csrf);
	page_html(page, "<input type=\"hidden\" name=\"csrf\" value=\"{}\">\n", str_from(csrf));
}

static void put_named(struct page *page, struct str name)
{
	struct str lang = page->lang_given ? lang_name(page->lang) : STR("");

	if (str_starts(name, STR("/")))
		asset_put_address(&page->markup, name);
	else if (str_eq(name, STR("csrf")))
		put_csrf(page);
	else if (str_has(name, STR(".")))
		html_text(&page->markup, catalog_text(page->lang, name));
	else if (lang.len && str_eq(name, STR("keep-lang")))
		page_html(page, "<input type=\"hidden\" name=\"lang\" value=\"{}\">", lang);
	else if (lang.len)
		buf_printf(&page->markup, "%slang=%.*s", str_eq(name, STR("?lang")) ? "?" : "&amp;", STR_ARG(lang));
}

void page_put_markup(struct page *page, const char *markup, const struct str *values, size_t count)
{
	struct str rest = str_from(markup), piece;
	size_t used = 0;

	for (bool named = false; str_cut(&rest, named ? '}' : '{', &piece); named = !named) {
		if (!named)
			buf_add(&page->markup, piece);
		else if (piece.len)
			put_named(page, piece);
		else if (used++ < count)
			html_text(&page->markup, values[used]); /* the first one is none */
	}
	assert(used == count);
}

static void put_kept(struct buf *out, enum lang lang UNUSED, const void *ctx)
{
	buf_add(out, *(const struct str *)ctx);
}

void page_figure(struct page *page)
{
	struct str *kept = arena_alloc(&page->doc.arena, sizeof(*kept));

	*kept = arena_keep(&page->doc.arena, buf_str(&page->markup));
	buf_reset(&page->markup);
	doc_figure(&page->doc, put_kept, kept);
}

/* --- pieces of documents */

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

void page_prose_of(struct page *page, struct str id, const char *suffix)
{
	page_prose(page, doc_format_of(&page->doc, "%.*s%s", STR_ARG(id), suffix).ptr);
}

/* --- addresses */

static void put_lang(const struct page *page, struct buf *out, char separator)
{
	if (!page->lang_given)
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

void page_put_link(struct page *page, enum doc_span style, struct str address, const char *label)
{
	doc_say_link(&page->doc, BLOCK_PARAGRAPH, style, address, doc_label_of(&page->doc, label));
}

void page_put_next(struct page *page, struct str cursor, const char *label)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;

	buf_printf(&address, "%.*s?", STR_ARG(page->request->path));
	parameters_put(&address, &page->request->parameters, "cursor");
	buf_add(&address, STR("cursor="));
	url_put(&address, cursor);
	page_put_link(page, SPAN_NEXT, arena_keep(&page->doc.arena, buf_str(&address)), label);
}

void page_cell_link(struct page *page, struct str address, struct str text)
{
	doc_cell(&page->doc);
	doc_link(&page->doc, SPAN_NAME, address, text);
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
	struct str lang = request->lang_given ? lang_name(request->lang) : STR("");
	const char *before = !lang.len ? "" : memchr(address.ptr, '?', address.len) ? "&lang=" : "?lang=";

	reply_start(reply, SEE_OTHER, NULL);
	reply_header(reply, "Cache-Control", STR("no-store"));
	reply_header(reply, "Location",
		arena_printf(&request->arena, "%.*s%s%.*s", STR_ARG(address), before, STR_ARG(lang)));
}

/* --- the frame */

static struct str asset_address(struct page *page, const char *path)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;

	asset_put_address(&address, str_from(path));
	return arena_keep(&page->doc.arena, buf_str(&address));
}

/* Returns whether the entry leads to this page or to one above it. */
static bool is_here(const struct page *page, const char *path)
{
	struct str own = page->request ? page->request->path : STR("");

	return strcmp(path, "/") == 0 ? str_eq(own, STR("/")) : str_starts(own, str_from(path));
}

static void put_navigation(struct page *page)
{
	bool admin = !page->request || page->request->caller.scope >= SCOPE_ADMIN; /* a stored page has no reader yet */
	size_t count = ARRAY_SIZE(places) - (admin ? 0 : ADMIN_PLACES);
	struct frame_link links[ARRAY_SIZE(places)];

	for (size_t i = 0; i < count; i++)
		links[i] = (struct frame_link){ page_address(page, places[i].path, STR("")),
			doc_label_of(&page->doc, places[i].label), is_here(page, places[i].path) };
	frame_put_navigation(&page->markup, page->lang, page_address(page, "/", STR("")), links, count);
}

/* This very page in another language, its query kept. */
static struct str address_in(struct page *page, enum lang lang)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;

	buf_byte(&address, '?');
	if (page->request)
		parameters_put(&address, &page->request->parameters, "lang");
	buf_printf(&address, "lang=%.*s", STR_ARG(lang_name(lang)));
	return arena_keep(&page->doc.arena, buf_str(&address));
}

/* Text written so far is not part of the document. */
static void flush_markup(struct page *page)
{
	buf_add(page->out, buf_str(&page->markup));
	buf_reset(&page->markup);
}

static void put_bar(struct page *page, struct str title)
{
	const struct request *request = page->request;
	enum lang other = lang_other(page->lang);

	frame_put_head(&page->markup,
		&(struct frame){ .lang = page->lang,
			.title = title,
			.icon = asset_address(page, "/assets/icon.svg"),
			.styles = { asset_address(page, "/assets/report.css"), asset_address(page, "/assets/app.css") },
			.scripts = { asset_address(page, "/assets/app.js") } });
	put_navigation(page);
	if (!request || !str_eq(request->method, STR("POST"))) { /* the answer to a form has no address of its own */
		page_html(page, "<p class=\"languages\">");
		frame_put_language(&page->markup, other, address_in(page, other));
		page_html(page, "</p>");
	}
	if (request && request->caller.session.len)
		page_html(page, "<form method=\"post\" enctype=\"multipart/form-data\" action=\"/logout\">{csrf}"
				"<button type=\"submit\">{page.logout}</button></form>\n");
	page_html(page, "</nav>\n");
	flush_markup(page);
}

struct page page_begin_stored(enum lang lang, bool lang_given, struct buf *out, struct str title)
{
	struct page page = { out, NULL, lang, lang_given, doc_new(DOC_HTML, &(struct render_options){ .lang = lang }),
		BUF_UNLIMITED };

	put_bar(&page, title);
	return page;
}

struct page page_begin(const struct request *request, struct buf *out, struct str title)
{
	struct page page = { out, request, request->lang, request->lang_given,
		doc_new(DOC_HTML, &(struct render_options){ .lang = request->lang }), BUF_UNLIMITED };

	put_bar(&page, title);
	html(out, "<main id=\"main\">\n");
	return page;
}

struct page page_start(struct reply *reply, const struct request *request, const char *title)
{
	page_reply(reply, request);
	return page_begin(request, &reply->body, catalog_text(request->lang, str_from(title)));
}

void page_end_bare(struct page *page)
{
	frame_put_foot(&page->markup, str_from(check_version()));
	flush_markup(page);
	buf_clear(&page->markup);
}

void page_end(struct page *page)
{
	doc_put(&page->doc, page->out);
	html(page->out, "</main>\n");
	page_end_bare(page);
}
