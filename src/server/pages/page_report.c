#include "server/pages/page_report.h"

#include "base/memory/mem.h"
#include "report/answers/bucket_section.h"
#include "report/doc/doc_put.h"
#include "report/drawings/drawing.h"
#include "report/render.h"
#include "report/report.h"
#include "report/sections/cost_sections.h"
#include "report/sections/release_section.h"
#include "report/sections/step_section.h"
#include "server/api/reports.h"
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

/* The name of the first dump. */
static struct str title_of(const struct result *result)
{
	return result->input_count ? result->inputs[0].name : STR("opcheck");
}

void page_put_assessment(const struct request *request, const struct result *result, unsigned rows, struct buf *out)
{
	struct page page = page_begin_bare(request, out, title_of(result));

	page.doc.options.rows = rows;
	put_downloads(&page, request->capture);
	report_build(&page.doc, result);
	doc_put(&page.doc, page.out);
	page_html(&page, "</div>\n<script src=\"{/assets/report.js}\"></script>\n");
	page_end_bare(&page);
}

static const struct {
	const char *form;
	void (*build[3])(struct doc *doc, const struct result *result);
} parts[] = {
	{ "releases", { releases_build } },
	{ "shapes", { steps_build, padding_build, compiling_build } },
};

bool part_put(struct str form, enum lang lang, const struct result *result, struct buf *out)
{
	size_t which = 0;
	struct doc doc;

	while (which < ARRAY_SIZE(parts) && !str_eq(form, str_from(parts[which].form)))
		which++;
	if (which == ARRAY_SIZE(parts))
		return false;
	doc = doc_new(DOC_HTML, &(struct render_options){ .lang = lang });
	doc.scripted = true;
	doc_svg_patterns(&doc);
	for (size_t i = 0; i < ARRAY_SIZE(parts[which].build) && parts[which].build[i]; i++)
		parts[which].build[i](&doc, result);
	doc_put(&doc, out);
	return true;
}

int page_assessment(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	page_reply(reply, request);
	return report_put_form(service, request, reply, STR("page"), err);
}
