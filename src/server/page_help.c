/* What the service is and how to use it, and what its error codes mean. */
#include "base/mem.h"
#include "report/snippet.h"
#include "server/answer.h"
#include "server/handlers.h"
#include "server/page.h"

/* --- help */

static void open_section(struct page *page, const char *title, const char *about)
{
	doc_section(&page->doc, title);
	page_prose(page, about);
}

static void put_snippet(struct page *page)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 16);

	snippet_put(&text, SNIPPET_NEWEST);
	doc_code(&page->doc, STR("python"), arena_keep(&page->doc.arena, str_trim(buf_str(&text))));
}

/* Command lines, each with the address of this service for its "{url}". */
static void put_commands(struct page *page, const char *const *commands, size_t count)
{
	CLEANUP(buf_clear) struct buf lines = BUF_UNLIMITED;
	struct str host = page->request->headers[HEADER_HOST];

	for (size_t i = 0; i < count; i++) {
		struct str command = str_from(commands[i]);
		size_t mark = str_find(command, STR("{url}"));

		buf_printf(&lines, "%.*shttp://%.*s%.*s\n", STR_ARG(str_sub(command, 0, mark)),
			STR_ARG(host.len ? host : STR("127.0.0.1:8787")),
			STR_ARG(str_skip(command, mark + strlen("{url}"))));
	}
	doc_code(&page->doc, STR("sh"), arena_keep(&page->doc.arena, buf_str(&lines)));
}

static void put_interface(struct page *page)
{
	doc_open(&page->doc, BLOCK_PARAGRAPH);
	doc_link(&page->doc, SPAN_PLAIN, STR("/openapi.json"), doc_label_of(&page->doc, "page.help-openapi"));
	doc_close(&page->doc);
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
	open_section(&page, "page.help-capture", "page.help-capture-about");
	put_snippet(&page);
	doc_close(&page.doc);
	open_section(&page, "page.help-submit", "page.help-submit-about");
	put_commands(&page, submit, ARRAY_SIZE(submit));
	doc_close(&page.doc);
	open_section(&page, "page.help-curl", "page.help-curl-about");
	put_commands(&page, curl, ARRAY_SIZE(curl));
	put_interface(&page);
	doc_close(&page.doc);
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
	doc_open(&page.doc, BLOCK_TITLE);
	doc_styled(&page.doc, SPAN_CODE, code);
	doc_text(&page.doc, STR(" "));
	doc_label(&page.doc, code.ptr);
	doc_close(&page.doc);
	put_part(&page, code, ".about");
	put_part(&page, code, ".advice");
	page_end(&page);
	return 0;
}
