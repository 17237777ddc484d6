#include "server/pages/handlers.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/drawings/drawing.h"
#include "server/api/team.h"
#include "server/http/answer.h"
#include "server/pages/page_team.h"
#include "server/service/service.h"

enum { BRANCHES = 100, TARGETS = 12, VERDICTS = 4, STACK_WIDTH = 1000, STACK_HEIGHT = 18, DEMANDS = 100 };

struct fleet {
	struct latest_list list;
	struct str targets[TARGETS];
	size_t target_count;
	unsigned counts[TARGETS][VERDICTS];
};

static size_t target_place(const struct fleet *fleet, struct str target)
{
	size_t at = 0;

	while (at < fleet->target_count && !str_eq(fleet->targets[at], target))
		at++;
	return at;
}

static void count_verdicts(struct fleet *fleet)
{
	for (size_t i = 0; i < fleet->list.count; i++) {
		const struct stored_verdict *verdict = &fleet->list.items[i].verdict;
		size_t at = target_place(fleet, verdict->target);
		unsigned value;

		if (at == TARGETS || !word_find(&verdict_words, verdict->verdict, &value))
			continue;
		if (at == fleet->target_count)
			fleet->targets[fleet->target_count++] = verdict->target;
		fleet->counts[at][value]++;
	}
}

/* --- how many models each target is ready for */

/* A part of the bar for each verdict; what it says is in the cells beside it. */
static void put_stack(struct doc *doc, const unsigned counts[VERDICTS])
{
	struct svg_shape *shapes = arena_alloc(&doc->arena, VERDICTS * sizeof(shapes[0]));
	int64_t all = 0, x = 0;

	for (size_t i = 0; i < VERDICTS; i++)
		all += counts[i];
	for (size_t i = 0; i < VERDICTS; i++) {
		struct str verdict = word_for(&verdict_words, (unsigned)i);

		shapes[i] = (struct svg_shape){ .x = x,
			.width = STACK_WIDTH * counts[i] / (all ? all : 1),
			.height = STACK_HEIGHT,
			.css = verdict_look(verdict),
			.title = doc_format_of(
				doc, "%u %.*s", counts[i], STR_ARG(doc_word_of(doc, "verdict", verdict))) };
		x += shapes[i].width;
	}
	doc_svg(doc, &(struct svg){ .css = "stack",
			     .width = STACK_WIDTH,
			     .height = STACK_HEIGHT,
			     .label = doc_label_of(doc, "page.fleet"),
			     .shapes = shapes,
			     .count = VERDICTS,
			     .stretched = true });
}

static void put_summary(struct doc *doc, const struct fleet *fleet)
{
	struct doc_column *columns = arena_alloc(&doc->arena, (VERDICTS + 2) * sizeof(columns[0]));

	columns[0] = (struct doc_column){ .label = "report.target", .css = "name fixed" };
	columns[1] = (struct doc_column){ .label = "page.share-of-models" };
	for (unsigned i = 0; i < VERDICTS; i++)
		columns[i + 2] = (struct doc_column){ .title = doc_word_of(doc, "verdict", word_for(&verdict_words, i)),
			.number = true };
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = VERDICTS + 2, .name = "fleet-targets" });
	for (size_t i = 0; i < fleet->target_count; i++) {
		doc_row(doc);
		doc_cell_text(doc, fleet->targets[i]);
		doc_cell(doc);
		put_stack(doc, fleet->counts[i]);
		for (size_t j = 0; j < VERDICTS; j++)
			doc_cell_number(doc, fleet->counts[i][j]);
	}
	doc_table_end(doc);
}

/* --- every model on every target */

static void put_latest(struct doc *doc, const struct latest_run *latest)
{
	doc_cell(doc);
	if (latest) {
		const struct stored_verdict *verdict = &latest->verdict;

		doc_tag(doc, SET_VERDICT, verdict->verdict);
		if (verdict->readiness_lo_ppm >= 0) /* the blank before the unit does not break */
			doc_printf(doc, " %.*s\xc2\xa0%%",
				STR_ARG(str_chop(doc_percent_of(doc, verdict->readiness_lo_ppm), strlen(" %"))));
	}
}

/* The row of the branch that begins at an entry. */
static void put_branch(struct page *page, const struct fleet *fleet, size_t from)
{
	const struct latest_run *items = fleet->list.items, *found[TARGETS] = { 0 };
	const struct trend_query model = { items[from].project, items[from].model, items[from].branch, 0 };
	struct doc *doc = &page->doc;

	for (size_t i = from; i < fleet->list.count && (i == from || !team_begins_branch(&fleet->list, i)); i++) {
		size_t at = target_place(fleet, items[i].verdict.target);

		if (at < fleet->target_count)
			found[at] = &items[i];
	}
	doc_row(doc);
	doc_cell(doc);
	doc_link(doc, SPAN_NAME, model_address(page, &model, NULL), model.model);
	doc_text(doc, STR(" "));
	doc_styled(doc, SPAN_SOFT, model.branch);
	for (size_t i = 0; i < fleet->target_count; i++)
		put_latest(doc, found[i]);
}

static void put_matrix(struct page *page, const struct fleet *fleet)
{
	struct doc *doc = &page->doc;
	struct doc_column *columns = arena_alloc(&doc->arena, (fleet->target_count + 1) * sizeof(columns[0]));

	columns[0] = (struct doc_column){ .label = "page.model" };
	for (size_t i = 0; i < fleet->target_count; i++)
		columns[i + 1] = (struct doc_column){ .title = fleet->targets[i] };
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = fleet->target_count + 1, .name = "fleet" });
	for (size_t i = 0; i < fleet->list.count; i++) {
		if (team_begins_branch(&fleet->list, i))
			put_branch(page, fleet, i);
	}
	doc_table_end(doc);
}

static void put_fleet(struct page *page, const struct fleet *fleet, struct str cursor)
{
	team_put_tabs(page);
	page_title(page, "page.fleet", "page.fleet-about");
	if (!fleet->list.count) {
		doc_say_label(&page->doc, BLOCK_SOFT, "page.no-models");
		return;
	}
	doc_svg_patterns(&page->doc);
	put_summary(&page->doc, fleet);
	doc_section(&page->doc, "page.models");
	put_matrix(page, fleet);
	doc_close(&page->doc);
	if (cursor.len)
		page_put_next(page, cursor, "page.next");
}

int page_fleet(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct latest_query query = { .max = BRANCHES };
	struct fleet fleet = { 0 };
	struct page page;
	int status = answer_take_project(request, &query.project, err);

	if (!status)
		status = team_take_cursor(request, &query, err);
	if (!status)
		status = store_list_latest(service->store, &query, &request->arena, &fleet.list, err);
	if (status)
		return status;
	count_verdicts(&fleet);
	page = page_start(reply, request, "page.fleet");
	put_fleet(&page, &fleet, team_cursor(request, &fleet.list));
	page_end(&page);
	return 0;
}

/* --- demand */

enum { WHOLE = 1000000, LEAST_BAR = WHOLE / 100 };

/* The largest share of the list fills its bar; a small one still shows. */
static int64_t bar_of(int64_t share, int64_t most)
{
	int64_t bar = most > 0 ? share * WHOLE / most : 0;

	return share > 0 && bar < LEAST_BAR ? LEAST_BAR : bar;
}

static void put_demand(struct page *page, const struct demand *demand, int64_t most)
{
	struct doc *doc = &page->doc;
	int64_t bar = bar_of(demand->mean_share_ppm, most);
	int32_t share = (int32_t)(demand->mean_share_ppm > WHOLE ? WHOLE : demand->mean_share_ppm);

	doc_row(doc);
	page_cell_link(page, page_address(page, "/operators/", demand->name), demand->op);
	doc_cell_text(doc, demand->target);
	doc_cell_tag(doc, SET_STATUS, demand->status);
	doc_cell_number(doc, demand->runs);
	doc_cell_number(doc, demand->models);
	doc_cell_text(doc, doc_percent_of(doc, share));
	doc_cell(doc);
	doc_bar(doc, (struct result_interval){ bar, bar });
}

static void put_demands(struct page *page, const struct demand_list *list)
{
	static const struct doc_column columns[] = {
		{ .label = "report.operator" },
		{ .label = "report.target", .css = "name fixed" },
		{ .label = "report.status" },
		{ .label = "page.runs", .number = true },
		{ .label = "page.models", .number = true },
		{ .label = "page.mean-share", .number = true },
		{ .label = "report.share", .css = "bars" },
	};
	struct doc *doc = &page->doc;
	int64_t most = 0;

	for (size_t i = 0; i < list->count; i++)
		most = list->items[i].mean_share_ppm > most ? list->items[i].mean_share_ppm : most;
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .name = "demands" });
	for (size_t i = 0; i < list->count; i++)
		put_demand(page, &list->items[i], most);
	doc_table_end(doc);
}

int page_demand(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct demand_query query = { .target = request_value(request, "target"), .max = DEMANDS };
	struct parameter asked[2];
	size_t count = 0;
	struct demand_list list;
	struct page page;
	int status = answer_take_project(request, &query.project, err);

	if (!status)
		status = store_list_demand(service->store, &query, &request->arena, &list, err);
	if (status)
		return status;
	page = page_start(reply, request, "page.demand");
	team_put_tabs(&page);
	page_title(&page, "demand.title", "demand.intro");
	page_html(&page,
		"<form class=\"controls\" action=\"/demand\"><input name=\"target\" autocomplete=\"off\" "
		"placeholder=\"npu@v2.7.1-26.0.0\" value=\"{}\" aria-label=\"{report.target}\">{keep-lang}",
		query.target);
	page_keep_project(&page);
	page_html(&page, "<button type=\"submit\">{page.show}</button></form>\n");
	page_figure(&page);
	if (list.count)
		put_demands(&page, &list);
	else
		doc_say_label(&page.doc, BLOCK_SOFT, "page.no-demand");
	if (request_value(request, "project").len)
		asked[count++] = (struct parameter){ STR("project"), request_value(request, "project") };
	if (query.target.len)
		asked[count++] = (struct parameter){ STR("target"), query.target };
	page_put_link(
		&page, SPAN_PLAIN, page_address_query(&page, "/api/v1/demand.md", asked, count), "page.demand-draft");
	page_end(&page);
	return 0;
}
