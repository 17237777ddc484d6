#include "server/pages/handlers.h"

#include "base/memory/mem.h"
#include "report/drawings/drawing.h"
#include "server/api/team.h"
#include "server/http/answer.h"
#include "server/pages/page_team.h"
#include "server/pages/page_trend.h"
#include "server/service/service.h"

enum { LISTED = 30 };

static void put_branch(struct page *page, const struct trend_query *model, const struct run_list *runs)
{
	struct doc *doc = &page->doc;
	const struct run *newest = &runs->items[0];

	doc_row(doc);
	doc_cell(doc);
	doc_link(doc, SPAN_NAME, model_address(page, model, NULL), model->model);
	if (model->project.len) {
		doc_text(doc, STR(" "));
		doc_styled(doc, SPAN_SOFT, model->project);
	}
	doc_cell_text(doc, model->branch);
	page_cell_verdicts(doc, &newest->record);
	doc_cell(doc);
	trend_spark(doc, runs);
	doc_cell_text(doc, trend_change(doc, runs));
	doc_cell_text(doc, newest->tags);
	page_cell_time(page, newest->created_at);
	doc_cell(doc);
	model_put_links(page, model, newest);
}

/* A row for each branch of the list, with its newest runs. */
static int put_branches(
	const struct service *service, struct page *page, const struct latest_list *list, struct err *err)
{
	static const struct doc_column columns[] = {
		{ .label = "page.model" },
		{ .label = "page.branch", .css = "name" },
		{ .label = "report.targets" },
		{ .label = "page.trend" },
		{ .label = "trend.change", .number = true },
		{ .label = "page.tags", .css = "name" },
		{ .label = "page.when", .css = "fixed" },
		{ .label = "page.open" },
	};
	struct doc *doc = &page->doc;
	int status = 0;

	doc_svg_patterns(doc);
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .name = "models" });
	for (size_t i = 0; i < list->count && !status; i++) {
		const struct latest_run *latest = &list->items[i];
		struct trend_query model = { latest->project, latest->model, latest->branch, TREND_RUNS };
		struct run_list runs;

		if (!team_begins_branch(list, i))
			continue;
		status = store_list_trend(service->store, &model, &doc->arena, &runs, err);
		if (!status && runs.count) /* another request may just have removed them */
			put_branch(page, &model, &runs);
	}
	doc_table_end(doc);
	return status;
}

static int put_models(const struct service *service, struct page *page, struct latest_list *list, struct err *err)
{
	int status = 0;

	team_put_tabs(page);
	page_title(page, "page.models", "page.models-about");
	page_html(page,
		"<form class=\"controls\" role=\"search\" action=\"/models\"><input name=\"q\" type=\"search\" "
		"value=\"{}\" placeholder=\"{page.find-model}\" aria-label=\"{page.find-model}\">{keep-lang}",
		request_value(page->request, "q"));
	page_keep_project(page);
	page_html(page, "<button type=\"submit\">{page.search}</button></form>\n");
	page_figure(page);
	if (list->count)
		status = put_branches(service, page, list, err);
	else
		doc_say_label(&page->doc, BLOCK_SOFT, "page.no-models");
	return status;
}

int page_models(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct latest_query query = { .max = LISTED, .search = request_value(request, "q") };
	struct str cursor;
	struct latest_list list;
	struct page page;
	int status = answer_take_project(request, &query.project, err);

	if (!status)
		status = team_take_cursor(request, &query, err);
	if (!status)
		status = store_list_latest(service->store, &query, &request->arena, &list, err);
	if (status)
		return status;
	page = page_start(reply, request, "page.models");
	status = put_models(service, &page, &list, err);
	cursor = team_cursor(request, &list);
	if (cursor.len)
		page_put_next(&page, cursor, "page.next");
	page_end(&page);
	return status;
}
