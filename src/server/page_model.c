/* One model: its trend, what changed last and its check in CI. And one run of it, to rename, keep or remove. */
#include "base/ascii.h"
#include "base/mem.h"
#include "report/drawing.h"
#include "server/access.h"
#include "server/answer.h"
#include "server/compared.h"
#include "server/handlers.h"
#include "server/page_models.h"
#include "server/page_trend.h"

enum { RUNS_SHOWN = 100, BRANCHES_SHOWN = 100, SHORT_ID = 12 };

struct model {
	struct trend_query query;
	struct run_list runs; /* the newest first, at least one */
	struct standing_list branches;
	size_t view;
};

static const char *const views[] = { "trend", "changes", "ci" };
enum { VIEW_TREND, VIEW_CHANGES, VIEW_CI };

static int take_view(const struct request *request, size_t *ret, struct err *err)
{
	struct str given = request_value(request, "view");

	for (*ret = 0; *ret < ARRAY_SIZE(views); ++*ret) {
		if (!given.len || str_eq(given, str_from(views[*ret])))
			return 0;
	}
	err_set(err, ERR_VALUE, "a model has no view '%s'", shown(given).text);
	return err_hint(err, "use trend, changes or ci");
}

static bool is_branch_given(const struct request *request)
{
	for (size_t i = 0; i < request->parameters.count; i++) {
		if (str_eq(request->parameters.items[i].name, STR("branch")))
			return true;
	}
	return false;
}

/* The branch that ran last. */
static struct str newest_branch(const struct standing_list *branches)
{
	size_t newest = 0;

	for (size_t i = 1; i < branches->count; i++)
		newest = str_order(&branches->items[i].created_at, &branches->items[newest].created_at) > 0 ? i
													    : newest;
	return branches->items[newest].branch;
}

/* The branches of a model; without a project, of the project that ran a model of that name last. */
static int find_branches(const struct service *service, struct request *request, struct model *model, struct err *err)
{
	struct trend_query *query = &model->query;
	struct run_query newest = { .page.max = 1, .model = query->model };
	struct run_list runs;
	int status = store_list_branches(service->store, query, &request->arena, &model->branches, err);

	if (status || model->branches.count || query->project.len)
		return status;
	status = store_list_runs(service->store, &newest, &request->arena, &runs, err);
	if (status || !query->model.len || !runs.count)
		return status;
	query->project = runs.items[0].project;
	return store_list_branches(service->store, query, &request->arena, &model->branches, err);
}

static int find_model(const struct service *service, struct request *request, struct model *ret, struct err *err)
{
	int status;

	*ret = (struct model){ .query = { .model = request->capture, .max = BRANCHES_SHOWN } };
	status = take_view(request, &ret->view, err);
	if (!status)
		status = answer_take_project(request, &ret->query.project, err);
	if (!status)
		status = find_branches(service, request, ret, err);
	if (!status && !ret->branches.count)
		status = answer_missing(err, "model");
	if (status)
		return status;
	ret->query.branch = is_branch_given(request) ? request_value(request, "branch") : newest_branch(&ret->branches);
	ret->query.max = RUNS_SHOWN;
	status = store_list_trend(service->store, &ret->query, &request->arena, &ret->runs, err);
	return status || ret->runs.count ? status : answer_missing(err, "branch");
}

/* --- the head */

static struct str report_address(struct page *page, const struct run *run)
{
	return page_address(page, "/assessments/", run->record.id);
}

static void put_ways(struct page *page, const struct model *model)
{
	static const char *const labels[] = { "page.trend", "page.changes", "page.ci" };
	struct page_tab tabs[ARRAY_SIZE(views)];

	for (size_t i = 0; i < ARRAY_SIZE(views); i++)
		tabs[i] = (struct page_tab){ labels[i], model_address(page, &model->query, i ? views[i] : NULL),
			i == model->view };
	page_put_tabs(page, tabs, ARRAY_SIZE(tabs));
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
			doc_link(doc, SPAN_NAME, model_address(page, &branch, views[model->view]),
				branch.branch.len ? branch.branch : STR("-"));
	}
	doc_close(doc);
}

/* A badge that follows the newest run, as Markdown. */
static struct str badge_address(struct page *page, const struct trend_query *query, struct str host)
{
	struct str whole = model_address(page, query, NULL), path = whole, rest;

	str_cut(&path, '?', &rest);
	return doc_format_of(&page->doc, "http://%.*s%.*s/badge.svg%s%.*s", STR_ARG(host), STR_ARG(rest),
		path.len ? "?" : "", STR_ARG(path.len ? path : STR("")));
}

/* The newest run: what it came to, its report and its files. */
static void put_newest(struct page *page, const struct model *model)
{
	struct doc *doc = &page->doc;
	const struct run *run = &model->runs.items[0];

	doc_section(doc, "page.newest-run");
	doc_open(doc, BLOCK_VERDICTS);
	for (size_t i = 0; i < run->record.verdict_count; i++) {
		const struct record_verdict *verdict = &run->record.verdicts[i];

		doc_open(doc, BLOCK_ITEM);
		doc_styled(doc, SPAN_NAME, verdict->target);
		doc_text(doc, STR(" "));
		doc_tag(doc, SET_VERDICT, verdict->verdict);
		if (verdict->readiness_lo_ppm >= 0) {
			doc_text(doc, STR(" "));
			doc_interval(doc, (struct result_interval){ (int32_t)verdict->readiness_lo_ppm,
						  (int32_t)verdict->readiness_hi_ppm });
		}
		doc_close(doc);
	}
	doc_close(doc);
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_link(doc, SPAN_PLAIN, report_address(page, run), doc_label_of(doc, "page.report"));
	doc_text(doc, STR(" \xc2\xb7 "));
	doc_link(doc, SPAN_PLAIN, page_address(page, "/assessments/", str_sub(run->record.id, 0, SHORT_ID)),
		doc_label_of(doc, "page.short-link"));
	doc_close(doc);
	doc_close(doc);
}

/* --- the trend */

static void put_point(struct page *page, const struct model *model, size_t at)
{
	const struct run *run = &model->runs.items[at], *before = at + 1 < model->runs.count ? run + 1 : NULL;
	struct doc *doc = &page->doc;

	doc_row(doc);
	page_cell_time(doc, run->created_at);
	doc_cell(doc);
	doc_link(doc, SPAN_NAME, page_address(page, "/runs/", run->id), run->name.len ? run->name : run->record.name);
	doc_close(doc);
	doc_cell_text(doc, run->revision);
	page_cell_verdicts(doc, &run->record);
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
	doc_close(doc);
	doc_close(doc);
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
	doc_close(&page->doc);
	doc_close(&page->doc);
}

/* --- what changed last */

/* The newest assessment before the last one; NULL: the model has one only. */
static const struct run *other_run(const struct model *model)
{
	for (size_t i = 1; i < model->runs.count; i++) {
		if (!str_eq(model->runs.items[i].record.id, model->runs.items[0].record.id))
			return &model->runs.items[i];
	}
	return NULL;
}

static void put_markup(struct buf *out, enum lang lang, const void *ctx)
{
	(void)lang;
	buf_add(out, *(const struct str *)ctx);
}

static void put_changes(struct page *page, const struct buf *changed)
{
	struct str *kept = arena_alloc(&page->doc.arena, sizeof(*kept));

	*kept = buf_str(changed);
	if (kept->len)
		doc_figure(&page->doc, put_markup, kept);
	else
		doc_say_label(&page->doc, BLOCK_SOFT, "page.no-change");
}

/* --- in CI */

/* In single quotes of a shell, which is what a word from anybody is safe in. */
static struct str shell_word(struct doc *doc, struct str word)
{
	CLEANUP(buf_clear) struct buf quoted = BUF_UNLIMITED;

	buf_byte(&quoted, '\'');
	for (size_t i = 0; i < word.len; i++)
		buf_printf(&quoted, word.ptr[i] == '\'' ? "'\\''" : "%c", word.ptr[i]);
	buf_byte(&quoted, '\'');
	return arena_keep(&doc->arena, buf_str(&quoted));
}

/* A step of a system for CI: what goes around the command, and how it names branch and commit. */
static const struct ci_system {
	const char *name, *before, *branch, *commit;
} systems[] = {
	{ "GitHub Actions", "    - name: opcheck\n      run: |\n        ", "\"$GITHUB_REF_NAME\"", "\"$GITHUB_SHA\"" },
	{ "GitLab CI", "opcheck:\n  script:\n    - |\n      ", "\"$CI_COMMIT_REF_NAME\"", "\"$CI_COMMIT_SHA\"" },
	{ "Jenkins", "sh '''\n  ", "\"$BRANCH_NAME\"", "\"$GIT_COMMIT\"" },
};

static void put_system(struct page *page, const struct model *model, const struct ci_system *step)
{
	struct doc *doc = &page->doc;
	struct str host = page->request->headers[HEADER_HOST], project = model->query.project;

	doc_open(doc, BLOCK_CARD_NAME);
	doc_text(doc, str_from(step->name));
	doc_close(doc);
	doc_code(doc, STR("yaml"),
		doc_format_of(doc,
			"%sopcheck submit profiler.log --server http://%.*s --model %.*s%s%.*s --branch %s --commit %s"
			" --fail-on unsupported,needs-package%s\n",
			step->before, STR_ARG(host), STR_ARG(shell_word(doc, model->query.model)),
			project.len ? " --project " : "", STR_ARG(project.len ? shell_word(doc, project) : STR("")),
			step->branch, step->commit, strcmp(step->name, "Jenkins") ? "" : "\n'''"));
}

static void put_ci(struct page *page, const struct model *model)
{
	struct str host = page->request->headers[HEADER_HOST];
	struct str badge = badge_address(page, &model->query, host);

	page_prose(page, "page.ci-about");
	for (size_t i = 0; i < ARRAY_SIZE(systems); i++)
		put_system(page, model, &systems[i]);
	page_prose(page, "page.ci-files");
	doc_section(&page->doc, "page.badge");
	page_prose(page, "page.badge-about");
	doc_code(&page->doc, STR("markdown"), doc_format_of(&page->doc, "![opcheck](%.*s)\n", STR_ARG(badge)));
	doc_close(&page->doc);
}

/* --- the page */

static void put_model(
	struct request *request, struct reply *reply, const struct model *model, const struct buf *changed)
{
	struct page page;

	page_reply(reply, request);
	page = page_begin(request, &reply->body, model->query.model);
	doc_open(&page.doc, BLOCK_TITLE_NAME);
	doc_text(&page.doc, model->query.model);
	doc_close(&page.doc);
	put_branch_links(&page, model);
	put_ways(&page, model);
	if (model->view == VIEW_TREND)
		put_trend(&page, model);
	else if (model->view == VIEW_CHANGES)
		put_changes(&page, changed);
	else
		put_ci(&page, model);
	page_end(&page);
}

static int put_compared(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf changed = BUF_UNLIMITED;
	struct model model;
	int status = find_model(service, request, &model, err);

	if (!status)
		status = compare_take(request, &changed, err);
	if (!status)
		put_model(request, reply, &model, &changed);
	return status;
}

int page_model(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct model model;
	const struct run *other;
	int status = find_model(service, request, &model, err);

	if (status)
		return status;
	other = model.view == VIEW_CHANGES ? other_run(&model) : NULL;
	if (other)
		return compare_prepare(service, request,
			&(struct comparison){
				other->record.id, model.runs.items[0].record.id, STR("page"), put_compared },
			err);
	put_model(request, reply, &model, &(struct buf)BUF_UNLIMITED);
	return 0;
}

/* The newest assessment's, but asked for again each time. */
int answer_model_badge(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct model model;
	int status = find_model(service, request, &model, err);

	if (status)
		return status;
	request->capture = model.runs.items[0].record.id;
	status = answer_report(service, request, reply, err);
	reply_header(reply, "Cache-Control", STR(CACHE_CHECK));
	return status;
}

/* --- one run */

static void put_field(struct buf *out, enum lang lang, const char *const field[2], struct str value)
{
	buf_printf(out, "<div><label for=\"%s\">", field[0]);
	html_label(out, lang, field[1]);
	buf_printf(out, "</label><input id=\"%s\" name=\"%s\" autocomplete=\"off\"", field[0], field[0]);
	html_attribute(out, "value", value);
	html(out, "></div>\n");
}

struct run_form {
	const struct page *page;
	const struct run *run;
};

static void open_form(const struct page *page, const struct run *run)
{
	html(page->out, "<form class=\"controls\" method=\"post\" enctype=\"multipart/form-data\" action=\"/runs/");
	html_text(page->out, run->id);
	if (page->request->lang_given) {
		html(page->out, "?lang=");
		html_text(page->out, lang_name(page->lang));
	}
	html(page->out, "\">\n");
	page_put_csrf(page);
}

static void put_button(const struct page *page, const char *field, const char *label)
{
	html(page->out, "<button type=\"submit\"");
	if (field)
		buf_printf(page->out, " %s", field);
	html(page->out, ">");
	page_label(page, label);
	html(page->out, "</button></form>\n");
}

static void put_run_forms(struct buf *out, enum lang lang, const void *ctx)
{
	static const char *const fields[][2] = { { "name", "page.name" }, { "tag", "page.tags" } };
	const struct run_form *form = ctx;
	const struct run *run = form->run;
	CLEANUP(buf_clear) struct buf tags = BUF_UNLIMITED;

	for (size_t i = 0; i < run->tags.len; i++)
		buf_byte(&tags, run->tags.ptr[i] == ' ' ? ',' : run->tags.ptr[i]);
	open_form(form->page, run);
	put_field(out, lang, fields[0], run->name);
	put_field(out, lang, fields[1], buf_str(&tags));
	put_button(form->page, NULL, "page.save");
	open_form(form->page, run);
	put_button(form->page, run->kept ? "name=\"kept\" value=\"false\"" : "name=\"kept\" value=\"true\"",
		run->kept ? "page.unkeep" : "page.keep");
	html(out, "<details><summary>");
	html_label(out, lang, "page.remove");
	html(out, "</summary>");
	open_form(form->page, run);
	put_button(form->page, "name=\"remove\" value=\"true\"", "page.remove-surely");
	html(out, "</details>\n");
}

static void put_fact(struct doc *doc, const char *label, struct str value)
{
	if (!value.len)
		return;
	doc_row(doc);
	doc_cell_text(doc, doc_label_of(doc, label));
	doc_cell_text(doc, value);
	doc_close(doc);
}

static void put_run_facts(struct page *page, const struct run *run)
{
	static const struct doc_column columns[] = { { .title = STR("") }, { .title = STR("") } };
	struct doc *doc = &page->doc;

	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .bare = true });
	put_fact(doc, "page.dump", run->record.name);
	put_fact(doc, "page.when", run->created_at);
	put_fact(doc, "page.project", run->project);
	put_fact(doc, "page.branch", run->branch);
	put_fact(doc, "page.commit", run->revision);
	doc_row(doc);
	doc_cell_text(doc, doc_label_of(doc, "report.targets"));
	page_cell_verdicts(doc, &run->record);
	doc_close(doc);
	doc_close(doc);
}

int page_run(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct run run;
	struct page page;
	struct trend_query model;
	int status = answer_find_run(service, request, &run, err);

	if (status)
		return status;
	model = (struct trend_query){ run.project, run.model, run.branch, 0 };
	page_reply(reply, request);
	page = page_begin(request, &reply->body, run.name.len ? run.name : run.record.name);
	doc_open(&page.doc, BLOCK_TITLE_NAME);
	doc_text(&page.doc, run.name.len ? run.name : run.record.name);
	doc_close(&page.doc);
	doc_open(&page.doc, BLOCK_PARAGRAPH);
	doc_link(&page.doc, SPAN_PLAIN, report_address(&page, &run), doc_label_of(&page.doc, "page.report"));
	if (run.model.len) {
		doc_text(&page.doc, STR(" \xc2\xb7 "));
		doc_link(&page.doc, SPAN_NAME, model_address(&page, &model, NULL), run.model);
	}
	doc_close(&page.doc);
	put_run_facts(&page, &run);
	doc_figure(&page.doc, put_run_forms, &(struct run_form){ &page, &run });
	page_end(&page);
	return 0;
}

static int remove_run(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	int status = access_check(request, SCOPE_ADMIN, err);

	if (!status)
		status = answer_remove_run(service, request, reply, err);
	if (!status)
		page_go_on(reply, request, STR("/models"));
	return status;
}

int answer_run_form(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;
	bool removes;
	int status = request_switch(request, "remove", &removes, err);

	if (status < 0)
		return status;
	if (removes)
		return remove_run(service, request, reply, err);
	status = answer_change_run(service, request, reply, err);
	buf_printf(&address, "/runs/%.*s", STR_ARG(request->capture));
	if (!status)
		page_go_on(reply, request, buf_str(&address));
	return status;
}
