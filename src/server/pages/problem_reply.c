#include "server/pages/problem_reply.h"

#include "base/memory/mem.h"
#include "base/value/url.h"
#include "report/doc/sentence.h"
#include "server/http/problem.h"
#include "server/http/route.h"
#include "server/pages/page.h"

enum { NOT_FOUND = 404, UNAVAILABLE = 503 };

static void put_problem_json(
	const struct service *service, const struct request *request, struct buf *out, const struct err *err)
{
	struct jsonw json = jsonw_start(out, 1);

	jsonw_object(&json);
	problem_put_members(&json, request->lang, err);
	if (err->code == ERR_LIMIT)
		jsonw_key_number(&json, "upload_bytes", (int64_t)service->limits->upload_bytes);
	jsonw_key_str(&json, "request_id", str_from(request->id));
	jsonw_object_end(&json);
}

/* Ways on from an address that leads nowhere. */
static void put_links(struct page *page)
{
	static const char *const links[][2] = { { "/", "page.check" }, { "/models", "page.models" },
		{ "/operators", "page.operators" }, { "/targets", "page.targets" } };

	page_html(page, "<ul class=\"links\">\n");
	for (size_t i = 0; i < ARRAY_SIZE(links); i++)
		page_html(page, "<li><a href=\"{}\">{}</a></li>\n", page_address(page, links[i][0], STR("")),
			doc_label_of(&page->doc, links[i][1]));
	page_html(page, "</ul>\n");
}

/* To this address with its query, or to where the login led; a long query would end as a head that is too large. */
static void put_login(struct page *page, const struct request *request)
{
	enum { NEXT_BYTES = 2048 };
	CLEANUP(buf_clear) struct buf next = BUF_UNLIMITED;
	bool by_address = str_eq(request->method, STR("GET")) || str_eq(request->method, STR("HEAD"));
	bool led = str_eq(request->path, STR("/login"));

	buf_add(&next, led ? request_value(request, "next") : request->path);
	if (!led && by_address && request->parameters.count) {
		buf_byte(&next, '?');
		parameters_put(&next, &request->parameters, "");
		next.len--;
	}
	page_html(page, "<p><a href=\"/login?next=");
	url_put(&page->markup, next.len > NEXT_BYTES ? request->path : buf_str(&next));
	page_html(page, "{&lang}\">{page.login}</a></p>\n");
}

static void put_page(struct request *request, struct buf *out, const struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct str title = problem_title(request->lang, err->code), name = str_from(err_name(err->code));
	struct page page = page_begin(request, out, title);

	page_html(&page, "<h1>{}</h1>\n<p class=\"problem\" role=\"alert\">", title);
	if (err->where[0] && problem_status(err->code) < SERVER_ERROR)
		page_html(&page, "<strong class=\"name\">{}</strong>: ", str_from(err->where));
	sentence_put(&text, request->lang, str_from(err->text));
	page_html(&page, "{}</p>\n", buf_str(&text));
	buf_reset(&text);
	sentence_put(&text, request->lang, str_from(err->hint));
	if (text.len)
		page_html(&page, "<p class=\"advice\">{}</p>\n", buf_str(&text));
	if (err->code == ERR_TOKEN || err->code == ERR_SCOPE)
		put_login(&page, request);
	if (problem_status(err->code) == NOT_FOUND)
		put_links(&page);
	page_html(&page,
		"<p class=\"soft\"><a href=\"{}\"><code>{}</code></a> \xc2\xb7 {page.request} <code>{}</code></p>\n",
		page_address(&page, "/problems/", name), name, str_from(request->id));
	page_figure(&page);
	page_prose_of(&page, name, ".about");
	page_prose_of(&page, name, ".advice");
	page_end(&page);
}

static void put_headers(struct request *request, struct reply *reply, const struct err *err)
{
	reply_language(reply, request);
	reply_header(reply, "Cache-Control", STR("no-store"));
	if (err->code == ERR_METHOD)
		reply_header(reply, "Allow", route_methods(request));
	if (err->code == ERR_FORMAT || err->code == ERR_UNREAD)
		reply_header(reply, "Accept-Post",
			STR("multipart/form-data, text/plain, application/gzip, application/zstd"));
	if (err->code == ERR_TOKEN)
		reply_header(reply, "WWW-Authenticate", STR("Bearer"));
	if (err->code == ERR_HTTP)
		reply_header(reply, "Connection", STR("close"));
	if (reply->status == UNAVAILABLE)
		reply_header(reply, "Retry-After", STR("30"));
	if (err->code == ERR_KEY_BUSY || err->code == ERR_RATE) /* the server knows better where it counts */
		reply_header(reply, "Retry-After", STR("1"));
}

void problem_reply(const struct service *service, struct request *request, struct reply *reply, const struct err *err)
{
	bool html_wanted = request_wants_html(request, route_is_page(request));

	reply_start(reply, problem_status(err->code), html_wanted ? MEDIA_HTML : MEDIA_PROBLEM);
	put_headers(request, reply, err);
	if (html_wanted)
		put_page(request, &reply->body, err);
	else
		put_problem_json(service, request, &reply->body, err);
}
