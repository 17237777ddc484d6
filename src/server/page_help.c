/* What the service is and how to use it, and what its error codes mean. */
#include "base/mem.h"
#include "check/snippet.h"
#include "server/answer.h"
#include "server/handlers.h"
#include "server/page.h"

/* --- help */

static void put_section(struct page *page, const char *title, const char *about)
{
	html(page->out, "<h2>");
	page_label(page, title);
	html(page->out, "</h2>\n");
	page_prose(page, about);
}

static void put_snippet(struct page *page)
{
	struct buf text = BUF_INIT(1 << 16);
	struct str rest, line;

	snippet_put(&text, SNIPPET_NEWEST);
	rest = str_trim(buf_str(&text));
	html(page->out, "<pre><code>");
	/* line by line: a line feed in a text would be shown as one */
	while (str_cut(&rest, '\n', &line)) {
		html_text(page->out, line);
		html(page->out, "\n");
	}
	html(page->out, "</code></pre>\n");
	buf_clear(&text);
}

/* Command lines, each with the address of this service for its "{url}". */
static void put_commands(struct page *page, const char *const *commands, size_t count)
{
	struct str host = page->request->headers[HEADER_HOST];

	html(page->out, "<pre><code>");
	for (size_t i = 0; i < count; i++) {
		struct str command = str_from(commands[i]);
		size_t mark = str_find(command, STR("{url}"));

		html_text(page->out, str_sub(command, 0, mark));
		html(page->out, "http://");
		html_text(page->out, host.len ? host : STR("127.0.0.1:8787"));
		html_text(page->out, str_skip(command, mark + strlen("{url}")));
		html(page->out, "\n");
	}
	html(page->out, "</code></pre>\n");
}

static void put_interface(struct page *page)
{
	html(page->out, "<p><a href=\"/openapi.json\">");
	page_label(page, "page.help-openapi");
	html(page->out, "</a></p>\n");
}

int page_help(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	static const char *const submit[] = {
		"opcheck submit profiler.log --server {url}",
		"opcheck submit profiler.log --server {url} -t npu@2.7.1 -o html=report.html --fail-on unsupported",
	};
	static const char *const curl[] = {
		"curl --data-binary @profiler.log '{url}/api/v1/assessments?name=profiler.log&target=npu&target=musa'",
		"curl -F file=@profiler.log -F target=npu@2.7.1 {url}/api/v1/assessments",
		"curl {url}/api/v1/assessments/ID/report.csv",
	};
	struct page page;

	(void)service;
	(void)err;
	page_reply(reply, request);
	page = page_begin(request, &reply->body, catalog_text(request->lang, STR("page.help")));
	page_title(&page, "page.help", "page.help-about");
	put_section(&page, "page.help-capture", "page.help-capture-about");
	put_snippet(&page);
	put_section(&page, "page.help-submit", "page.help-submit-about");
	put_commands(&page, submit, ARRAY_SIZE(submit));
	put_section(&page, "page.help-curl", "page.help-curl-about");
	put_commands(&page, curl, ARRAY_SIZE(curl));
	put_interface(&page);
	page_end(&page);
	return 0;
}

/* --- error codes */

static void put_part(struct page *page, struct str code, const char *suffix)
{
	struct buf id = BUF_INIT(64);

	buf_printf(&id, "%.*s%s", STR_ARG(code), suffix);
	page_prose(page, buf_text(&id));
	buf_clear(&id);
}

int page_problem(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct str code = request->capture;
	struct page page;

	(void)service;
	if (!err_code_named(code.ptr))
		return answer_missing(err, "code");
	page_reply(reply, request);
	page = page_begin(request, &reply->body, code);
	html(page.out, "<h1><code>");
	html_text(page.out, code);
	html(page.out, "</code> ");
	html_label(page.out, page.lang, code.ptr);
	html(page.out, "</h1>\n");
	put_part(&page, code, ".about");
	put_part(&page, code, ".advice");
	page_end(&page);
	return 0;
}
