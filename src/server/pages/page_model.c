#include "server/pages/handlers.h"

#include "base/memory/mem.h"
#include "base/value/url.h"
#include "report/drawings/drawing.h"
#include "server/api/compare.h"
#include "server/api/handlers.h"
#include "server/api/named.h"
#include "server/api/part.h"
#include "server/api/team.h"
#include "server/pages/page.h"
#include "server/pages/page_ci.h"
#include "server/pages/page_run.h"
#include "server/pages/page_team.h"
#include "server/pages/page_trend.h"
#include "server/service/find.h"
#include "server/service/lists.h"
#include "store/model.h"

enum { RUNS_SHOWN = 100 };

struct model {
	struct trend_query query;
	struct run_list runs; /* the newest first, at least one */
	struct latest_list branches;
	size_t view;
};

enum { VIEW_TREND, VIEW_CHANGES, VIEW_RELEASES, VIEW_SHAPES, VIEW_LISTS, VIEW_CI, VIEWS };

static const struct {
	const char *name, *label;
} views[VIEWS] = {
	[VIEW_TREND] = { "trend", "page.trend" },
	[VIEW_CHANGES] = { "changes", "page.changes" },
	[VIEW_RELEASES] = { "releases", "page.targets" },
	[VIEW_SHAPES] = { "shapes", "report.shapes" },
	[VIEW_LISTS] = { "lists", "page.lists" },
	[VIEW_CI] = { "ci", "page.ci" },
};

static int take_view(const struct request *request, size_t *ret, struct err *err)
{
	struct str given = request_value(request, "view");

	for (*ret = 0; *ret < VIEWS; ++*ret) {
		if (!given.len || str_eq(given, str_from(views[*ret].name)))
			return 0;
	}
	err_set(err, ERR_VALUE, "a model has no view '%s'", shown(given).text);
	return err_hint(err, "use trend, changes, releases, shapes, lists or ci");
}

/* The branch that ran last. */
static struct str newest_branch(const struct latest_list *branches)
{
	size_t newest = 0;

	for (size_t i = 1; i < branches->count; i++)
		newest = str_order(&branches->items[i].created_at, &branches->items[newest].created_at) > 0 ? i
													    : newest;
	return branches->items[newest].branch;
}

/* An address of a name that the model no longer has leads to the one of today. It may become another model's, so the
   redirect is not cacheable. */
static int lead_on(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	enum { TEMPORARY_REDIRECT = 307 };
	static const char *const kept[] = { "branch", "view", "lang" };
	CLEANUP(buf_clear) struct buf location = BUF_UNLIMITED;
	struct model_name now = { .model = request->capture };
	struct err missing = *err;
	int status = answer_take_project(request, &now.project, err);

	if (!status)
		status = store_find_former(service->store, &request->arena, &now, err);
	if (status < 1) {
		*err = missing;
		return status ? status : -err->code;
	}
	buf_add(&location, STR("/models/"));
	url_put(&location, now.model);
	buf_add(&location, str_from(str_ends(request->path, STR("/badge.svg")) ? "/badge.svg?project=" : "?project="));
	url_put(&location, now.project);
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++) {
		if (!request_value(request, kept[i]).len)
			continue;
		buf_printf(&location, "&%s=", kept[i]);
		url_put(&location, request_value(request, kept[i]));
	}
	reply_start(reply, TEMPORARY_REDIRECT, NULL);
	reply_header(reply, "Location", arena_keep(&request->arena, buf_str(&location)));
	return 0;
}

static int find_shown(const struct service *service, struct request *request, struct model *ret, struct err *err)
{
	int status;

	*ret = (struct model){ .query = { .model = request->capture } };
	status = take_view(request, &ret->view, err);
	if (!status)
		status = answer_find_model(service, request, &ret->query.project, &ret->branches, err);
	if (status)
		return status;
	ret->query.branch = request_has(request, "branch") ? request_value(request, "branch")
							   : newest_branch(&ret->branches);
	ret->query.max = RUNS_SHOWN;
	status = store_list_trend(service->store, &ret->query, &request->arena, &ret->runs, err);
	return status || ret->runs.count ? status : no_such(err, "branch");
}

/* --- the head */

static struct str report_address(struct page *page, const struct run *run)
{
	return page_address(page, "/assessments/", run->record.id);
}

static void put_branch_links(struct page *page, const struct model *model)
{
	struct doc *doc = &page->doc;

	doc_open(doc, BLOCK_META);
	doc_label(doc, "page.branch");
	doc_text(doc, STR(":"));
	for (size_t i = 0; i < model->branches.count; i++) {
		struct trend_query branch = model->query;

		if (!team_begins_branch(&model->branches, i))
			continue;
		branch.branch = model->branches.items[i].branch;
		doc_text(doc, STR(" "));
		if (str_eq(branch.branch, model->query.branch))
			doc_styled(doc, SPAN_STRONG_NAME, branch.branch.len ? branch.branch : STR("-"));
		else
			doc_link(doc, SPAN_NAME, model_address(page, &branch, views[model->view].name),
				branch.branch.len ? branch.branch : STR("-"));
	}
	doc_close(doc);
}

/* The newest run: what it came to, its report and its files. */
static void put_newest(struct page *page, const struct model *model)
{
	struct doc *doc = &page->doc;
	const struct run *run = &model->runs.items[0];

	doc_section(doc, "page.newest-run");
	doc_open(doc, BLOCK_VERDICTS);
	for (size_t i = 0; i < run->record.verdict_count; i++) {
		const struct stored_verdict *verdict = &run->record.verdicts[i];

		doc_open(doc, BLOCK_ITEM);
		doc_styled(doc, SPAN_NAME, verdict->target);
		doc_text(doc, STR(" "));
		doc_tag(doc, SET_VERDICT, verdict->verdict);
		if (verdict->readiness_lo_ppm >= 0) {
			doc_text(doc, STR(" "));
			doc_styled(doc, SPAN_SOFT,
				doc_interval_of(doc, (struct result_interval){ (int32_t)verdict->readiness_lo_ppm,
							     (int32_t)verdict->readiness_hi_ppm }));
		}
		doc_close(doc);
	}
	doc_close(doc);
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_link(doc, SPAN_PLAIN, report_address(page, run), doc_label_of(doc, "page.report"));
	doc_text(doc, STR(" \xc2\xb7 "));
	model_put_links(page, &model->query, run);
	doc_close(doc);
	doc_close(doc);
}

/* --- the trend */

/* A digest at the length that identifies it, so that the table keeps its width; the page of the run has all of it. */
static struct str short_commit(struct str commit)
{
	enum { DIGEST_BYTES = 40, SHOWN_BYTES = 12 };
	bool is_digest = commit.len >= DIGEST_BYTES && ALL(i, commit.len, strchr("0123456789abcdef", commit.ptr[i]));

	return is_digest ? str_sub(commit, 0, SHOWN_BYTES) : commit;
}

static void put_point(struct page *page, const struct model *model, size_t at)
{
	const struct run *run = &model->runs.items[at], *before = at + 1 < model->runs.count ? run + 1 : NULL;
	struct doc *doc = &page->doc;

	doc_row(doc);
	page_cell_time(page, run->created_at);
	page_cell_link(page, page_address(page, "/runs/", run->id), run->name.len ? run->name : run->record.name);
	doc_cell_text(doc, short_commit(run->revision));
	page_cell_verdicts(doc, &run->record);
	if (trend_breaks(&model->runs, at))
		doc_say_styled(doc, BLOCK_SOFT, SPAN_PLAIN, trend_break_title(doc, &model->runs, at));
	doc_cell_text(doc, trend_readiness(run) < 0 ? STR("") : doc_percent_of(doc, trend_readiness(run)));
	doc_cell_text(doc, run->tags);
	doc_cell(doc);
	doc_link(doc, SPAN_PLAIN, report_address(page, run), doc_label_of(doc, "page.report"));
	if (before && !str_eq(before->record.id, run->record.id)) {
		const struct parameter query[] = { { STR("a"), before->record.id }, { STR("b"), run->record.id } };

		doc_text(doc, STR(" "));
		doc_link(doc, SPAN_PLAIN, page_address_query(page, "/compare", query, ARRAY_SIZE(query)),
			doc_label_of(doc, "page.changes"));
	}
}

static void put_trend(struct page *page, const struct model *model)
{
	static const struct doc_column columns[] = {
		{ .label = "page.when", .css = "fixed" },
		{ .label = "page.run" },
		{ .label = "page.commit", .css = "name" },
		{ .label = "report.targets" },
		{ .label = "trend.least", .number = true },
		{ .label = "page.tags", .css = "name" },
		{ .label = "page.open" },
	};

	put_newest(page, model);
	doc_section(&page->doc, "trend.title");
	doc_svg_patterns(&page->doc);
	trend_draw(&page->doc, &model->runs);
	doc_table(&page->doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .name = "runs" });
	for (size_t i = 0; i < model->runs.count; i++)
		put_point(page, model, i);
	doc_table_end(&page->doc);
	doc_close(&page->doc);
	page_put_model_forms(page, &model->runs.items[0]);
}

/* --- the page */

/* The result of a job over reports; in the view of shapes, sizes to pad to can be chosen. */
static void put_made(struct page *page, const struct model *model, const struct buf *made)
{
	bool changes = model->view == VIEW_CHANGES;
	const struct run *run = &model->runs.items[0];
	struct doc *doc = &page->doc;

	if (!changes) {
		doc_open(doc, BLOCK_SOFT);
		doc_label(doc, "page.newest-run");
		doc_text(doc, STR(": "));
		doc_link(doc, SPAN_NAME, report_address(page, run), run->name.len ? run->name : run->record.name);
		doc_close(doc);
	}
	if (!made->len)
		doc_say_label(doc, BLOCK_SOFT, changes ? "page.no-change" : "page.no-part");
	buf_add(&page->markup, buf_str(made));
	if (model->view == VIEW_SHAPES || model->view == VIEW_RELEASES)
		page_html(page, "<script src=\"{/assets/report.js}\" defer></script>\n");
	page_figure(page);
}

static void put_model(struct request *request, struct reply *reply, const struct model *model, const struct buf *made)
{
	struct page_tab tabs[VIEWS];
	struct page page;

	page_reply(reply, request);
	page = page_begin(request, &reply->body, model->query.model);
	doc_say_styled(&page.doc, BLOCK_TITLE_NAME, SPAN_PLAIN, model->query.model);
	put_branch_links(&page, model);
	for (size_t i = 0; i < VIEWS; i++)
		tabs[i] = (struct page_tab){ views[i].label,
			model_address(&page, &model->query, i ? views[i].name : NULL), i == model->view };
	page_put_tabs(&page, tabs, VIEWS);
	if (model->view == VIEW_TREND)
		put_trend(&page, model);
	else if (model->view == VIEW_CI)
		page_put_ci(&page, &model->query);
	else
		put_made(&page, model, made);
	page_end(&page);
}

/* Get the data of a view: 0, or ANSWER_LATER if a job has to make it. */
static int take_made(const struct service *service, struct request *request, const struct model *model,
	struct buf *made, struct err *err)
{
	struct str newest = model->runs.items[0].record.id, form = str_from(views[model->view].name);
	const struct run *runs = model->runs.items,
			 *other = FIND(i, runs, model->runs.count, !str_eq(runs[i].record.id, newest));
	int status = 0;

	if (model->view == VIEW_TREND || model->view == VIEW_CI)
		return 0;
	if (model->view != VIEW_CHANGES)
		return part_take(
			service, request, &(struct part){ newest, form, page_model, lists_are(form) }, made, err);
	if (!request->job && other)
		status = compare_prepare(service, request,
			&(struct comparison){ other->record.id, newest, STR("page") }, page_model, err);
	return request->job && !status ? compare_take(request, made, err) : status;
}

int page_model(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf made = BUF_UNLIMITED;
	struct model model;
	int status = find_shown(service, request, &model, err);

	if (!status)
		status = take_made(service, request, &model, &made, err);
	if (!status)
		put_model(request, reply, &model, &made);
	return status == -ERR_ADDRESS ? lead_on(service, request, reply, err) : status;
}

/* The newest assessment's, but asked for again each time. */
int answer_model_badge(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct model model;
	int status = find_shown(service, request, &model, err);

	if (status)
		return status == -ERR_ADDRESS ? lead_on(service, request, reply, err) : status;
	request->capture = model.runs.items[0].record.id;
	status = answer_report(service, request, reply, err);
	reply_header(reply, "Cache-Control", STR(CACHE_CHECK));
	return status;
}
