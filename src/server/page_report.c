/* The report of an assessment inside the service: ways back, to its other forms and to the other language. */
#include "base/mem.h"
#include "report/load.h"
#include "report/render.h"
#include "report/sections.h"
#include "server/answer.h"
#include "server/handlers.h"
#include "server/page.h"

static void put_downloads(struct page *page, struct str id)
{
	enum { SHORT_ID = 12 };

	html(page->out, "<p class=\"downloads\">");
	page_label(page, "page.download");
	html(page->out, ":");
	for (size_t i = 0; i < renderer_count; i++) {
		html(page->out, " <a href=\"/api/v1/assessments/");
		html_text(page->out, id);
		buf_printf(page->out, "/report%s?lang=%.*s\" download=\"report-%.*s%s\">%s</a>", renderers[i].suffix,
			STR_ARG(lang_name(page->lang)), SHORT_ID, id.ptr, renderers[i].suffix, renderers[i].name);
	}
	html(page->out, "</p>\n");
}

/* The name of the first dump. */
static struct str title_of(const struct result *result)
{
	return result->input_count ? result->inputs[0].name : STR("opcheck");
}

int page_assessment(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf json = BUF_UNLIMITED;
	struct record record;
	struct result *result;
	struct page page;
	int status = answer_find(service, request, &record, err);

	if (!status)
		status = store_report(service->store, record.id, &json, err);
	if (status >= 0)
		status = report_load(buf_str(&json), &result, err);
	if (status)
		return status;
	page_reply(reply, request);
	page = page_begin_bare(request, &reply->body, title_of(result));
	put_downloads(&page, record.id);
	html(page.out, "<div id=\"main\">\n");
	report_build(&page.doc, result);
	doc_put(&page.doc, page.out);
	html(page.out, "</div>\n<script src=\"/assets/report.js\"></script>\n");
	page_end_bare(&page);
	result_free(result);
	return 0;
}
