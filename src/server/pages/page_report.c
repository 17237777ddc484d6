#include "server/pages/page_report.h"

#include "base/memory/mem.h"
#include "report/doc/doc_put.h"
#include "report/doc/headline.h"
#include "report/render.h"
#include "report/report.h"
#include "server/api/reports.h"
#include "server/pages/handlers.h"
#include "server/pages/page.h"

static void put_downloads(struct page *page, struct str id)
{
	enum { SHORT_ID = 12 };

	page_html(page, "<p class=\"downloads\">{page.download}:");
	for (size_t i = 0; i < renderer_count; i++)
		buf_printf(&page->markup,
			" <a href=\"/api/v1/assessments/%.*s/report%s?lang=%.*s\" download=\"report-%.*s%s\">%s</a>",
			STR_ARG(id), renderers[i].suffix, STR_ARG(lang_name(page->lang)), SHORT_ID, id.ptr,
			renderers[i].suffix, renderers[i].name);
	page_html(page, "</p>\n<div id=\"main\">\n");
	buf_add(page->out, buf_str(&page->markup));
	buf_reset(&page->markup);
}

/* The headline, else the name of the first dump. */
static struct str title_of(struct arena *arena, enum lang lang, const struct result *result)
{
	if (headline_is_title(result, "report.title") && !result->source)
		return headline_line(arena, lang, result);
	return result->input_count ? result->inputs[0].name : STR("opcheck");
}

void page_put_assessment(const struct order *order, const struct result *result, unsigned rows, struct buf *out)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct page page = page_begin_stored(
		order->lang, order->lang_given, out, title_of(&arena, order->lang, result));

	page.doc.options.rows = rows;
	put_downloads(&page, order->assessment);
	report_build(&page.doc, result);
	doc_put(&page.doc, page.out);
	page_html(&page, "</div>\n<script src=\"{/assets/report.js}\"></script>\n");
	page_end_bare(&page);
}

int page_assessment(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	page_reply(reply, request);
	return report_put_form(service, request, reply, STR("page"), err);
}
