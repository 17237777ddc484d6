#include "server/pages/page_team.h"

#include "base/memory/mem.h"
#include "base/value/url.h"

struct str model_address(struct page *page, const struct trend_query *model, const char *view)
{
	CLEANUP(buf_clear) struct buf path = BUF_UNLIMITED;
	struct parameter query[3];
	size_t count = 0;

	buf_add(&path, STR("/models/"));
	url_put(&path, model->model);
	if (model->project.len)
		query[count++] = (struct parameter){ STR("project"), model->project };
	if (model->branch.ptr)
		query[count++] = (struct parameter){ STR("branch"), model->branch };
	if (view)
		query[count++] = (struct parameter){ STR("view"), str_from(view) };
	return page_address_query(page, buf_text(&path), query, count);
}

struct str model_badge(struct page *page, const struct trend_query *model)
{
	struct str query = model_address(page, model, NULL), path;
	bool more = str_cut(&query, '?', &path) && query.ptr;

	return doc_format_of(
		&page->doc, "%.*s/badge.svg%s%.*s", STR_ARG(path), more ? "?" : "", STR_ARG(more ? query : STR("")));
}

void page_put_tabs(struct page *page, const struct page_tab *tabs, size_t count)
{
	page_html(page, "<nav class=\"tabs\" aria-label=\"{page.parts}\"><ul>");
	for (size_t i = 0; i < count; i++) {
		page_html(page, "<li><a href=\"{}\"", tabs[i].address);
		if (tabs[i].here)
			page_html(page, " aria-current=\"page\"");
		page_html(page, ">{}</a></li>", doc_label_of(&page->doc, tabs[i].label));
	}
	page_html(page, "</ul></nav>\n");
	page_figure(page);
}

void team_put_tabs(struct page *page)
{
	static const struct {
		const char *label, *path;
	} ways[] = { { "page.models", "/models" }, { "page.fleet", "/fleet" }, { "page.demand", "/demand" } };
	struct page_tab tabs[ARRAY_SIZE(ways)];

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		tabs[i] = (struct page_tab){ ways[i].label, page_address(page, ways[i].path, STR("")),
			str_eq(page->request->path, str_from(ways[i].path)) };
	page_put_tabs(page, tabs, ARRAY_SIZE(tabs));
}

void page_keep_project(struct page *page)
{
	struct str project = request_value(page->request, "project");

	if (project.len)
		page_html(page, "<input type=\"hidden\" name=\"project\" value=\"{}\">", project);
}

void page_cell_verdicts(struct doc *doc, const struct stored_assessment *record)
{
	doc_cell(doc);
	doc_open(doc, BLOCK_VERDICTS);
	for (size_t i = 0; i < record->verdict_count; i++) {
		doc_open(doc, BLOCK_ITEM);
		doc_styled(doc, SPAN_NAME, record->verdicts[i].target);
		doc_text(doc, STR(" "));
		doc_tag(doc, SET_VERDICT, record->verdicts[i].verdict);
		doc_close(doc);
	}
	doc_close(doc);
}

void page_cell_time(struct page *page, struct str stamp)
{
	enum { DATE = 10, TIME = 11, SECONDS = 16 };

	doc_cell(&page->doc);
	page_html(page, "<time datetime=\"{}\">", stamp);
	if (stamp.len > SECONDS)
		page_html(page, "{} {}&nbsp;UTC", str_sub(stamp, 0, DATE), str_sub(stamp, TIME, SECONDS));
	page_html(page, "</time>");
	page_figure(page);
}

void model_put_links(struct page *page, const struct trend_query *model, const struct run *newest)
{
	enum { SHORT_ID = 12 };
	struct doc *doc = &page->doc;

	doc_link(doc, SPAN_PLAIN, page_address(page, "/assessments/", str_sub(newest->record.id, 0, SHORT_ID)),
		doc_label_of(doc, "page.short-link"));
	doc_text(doc, STR(" \xc2\xb7 "));
	doc_link(doc, SPAN_PLAIN, model_badge(page, model), doc_label_of(doc, "page.badge"));
}
