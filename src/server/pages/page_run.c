#include "server/pages/page_run.h"

#include "base/memory/mem.h"
#include "base/value/url.h"
#include "server/api/handlers.h"
#include "server/api/named.h"
#include "server/api/part.h"
#include "server/http/access.h"
#include "server/pages/handlers.h"
#include "server/pages/page_team.h"

static void put_field(struct page *page, const char *name, const char *label, struct str value)
{
	page_html(page,
		"<div><label for=\"{}\">{}</label><input id=\"{}\" name=\"{}\" autocomplete=\"off\" "
		"value=\"{}\"></div>\n",
		str_from(name), doc_label_of(&page->doc, label), str_from(name), str_from(name), value);
}

/* Of a run, or of the whole model that it is a run of. */
static void open_form(struct page *page, const struct run *run, bool model)
{
	page_html(page,
		"<form class=\"controls\" method=\"post\" enctype=\"multipart/form-data\" action=\"{}\">\n{csrf}",
		page_address(page, model ? "/models/" : "/runs/", model ? run->model : run->id));
	if (model)
		page_html(page, "<input type=\"hidden\" name=\"project\" value=\"{}\">\n", run->project);
}

static void put_button(struct page *page, const char *field, const char *label)
{
	buf_printf(&page->markup, "<button type=\"submit\"%s>", field);
	page_html(page, "{}</button></form>\n", doc_label_of(&page->doc, label));
}

static void put_forms(struct page *page, const struct run *run, bool model)
{
	static const struct {
		const char *name, *save, *keep, *unkeep, *remove;
	} labels[] = { { "page.name", "page.save", "page.keep", "page.unkeep", "page.remove" },
		{ "page.model", "page.rename", "page.keep-runs", "page.unkeep-runs", "page.remove-model" } };
	CLEANUP(buf_clear) struct buf tags = BUF_UNLIMITED;
	enum scope scope = page->request->caller.scope;

	for (size_t i = 0; i < run->tags.len; i++)
		buf_byte(&tags, run->tags.ptr[i] == ' ' ? ',' : run->tags.ptr[i]);
	if (scope < SCOPE_SUBMIT)
		return;
	open_form(page, run, model);
	put_field(page, "name", labels[model].name, model ? run->model : run->name);
	if (!model)
		put_field(page, "tag", "page.tags", buf_str(&tags));
	put_button(page, "", labels[model].save);
	open_form(page, run, model);
	put_button(page, run->kept ? " name=\"kept\" value=\"false\"" : " name=\"kept\" value=\"true\"",
		run->kept ? labels[model].unkeep : labels[model].keep);
	if (scope >= SCOPE_ADMIN) {
		page_html(page, "<details><summary>{}</summary>", doc_label_of(&page->doc, labels[model].remove));
		open_form(page, run, model);
		put_button(page, " name=\"remove\" value=\"true\"", "page.remove-surely");
		page_html(page, "</details>\n");
	}
	page_figure(page);
}

void page_put_model_forms(struct page *page, const struct run *run)
{
	if (page->request->caller.scope < SCOPE_SUBMIT)
		return;
	doc_section(&page->doc, "page.whole-model");
	page_prose(page, "page.whole-model-about");
	put_forms(page, run, true);
	doc_close(&page->doc);
}

static void put_fact(struct doc *doc, const char *label, struct str value)
{
	if (!value.len)
		return;
	doc_row(doc);
	doc_cell_text(doc, doc_label_of(doc, label));
	doc_cell_text(doc, value);
}

static void put_run_facts(struct page *page, const struct run *run)
{
	static const struct doc_column columns[] = { { .title = STR("") }, { .title = STR("") } };
	struct doc *doc = &page->doc;

	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .bare = true });
	put_fact(doc, "page.dump", run->record.name);
	doc_row(doc);
	doc_cell_text(doc, doc_label_of(doc, "page.when"));
	page_cell_time(page, run->created_at);
	put_fact(doc, "page.project", run->project);
	put_fact(doc, "page.branch", run->branch);
	put_fact(doc, "page.commit", run->revision);
	doc_row(doc);
	doc_cell_text(doc, doc_label_of(doc, "report.targets"));
	page_cell_verdicts(doc, &run->record);
	doc_table_end(doc);
}

/* Buttons of the part belong to this form, which has the caller's session. */
static void put_questions(struct page *page, const struct run *run, const struct buf *questions)
{
	if (!questions->len)
		return;
	page_html(page,
		"<form id=\"answer\" method=\"post\" enctype=\"multipart/form-data\" action=\"{}\">\n{csrf}</form>\n",
		page_address(page, doc_format_of(&page->doc, "/runs/%.*s/", STR_ARG(run->id)).ptr, STR("judgement")));
	buf_add(&page->markup, buf_str(questions));
	page_figure(page);
}

int page_run(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf questions = BUF_UNLIMITED;
	struct run run;
	struct page page;
	struct trend_query model;
	int status = answer_find_run(service, request, &run, err);

	if (!status && request->caller.scope >= SCOPE_SUBMIT)
		status = part_take(
			service, request, &(struct part){ run.record.id, STR("questions"), page_run }, &questions, err);
	if (status)
		return status;
	model = (struct trend_query){ run.project, run.model, run.branch, 0 };
	page_reply(reply, request);
	page = page_begin(request, &reply->body, run.name.len ? run.name : run.record.name);
	doc_say_styled(&page.doc, BLOCK_TITLE_NAME, SPAN_PLAIN, run.name.len ? run.name : run.record.name);
	doc_open(&page.doc, BLOCK_PARAGRAPH);
	doc_link(&page.doc, SPAN_PLAIN, page_address(&page, "/assessments/", run.record.id),
		doc_label_of(&page.doc, "page.report"));
	if (run.model.len) {
		doc_text(&page.doc, STR(" \xc2\xb7 "));
		doc_link(&page.doc, SPAN_NAME, model_address(&page, &model, NULL), run.model);
	}
	doc_close(&page.doc);
	put_run_facts(&page, &run);
	put_questions(&page, &run, &questions);
	put_forms(&page, &run, false);
	page_end(&page);
	return 0;
}

/* Returns 1 if a form removes the page's object, 0 if it changes it. */
static int form_removes(struct request *request, struct err *err)
{
	bool removes;
	int status = parameters_switch(&request->parameters, "remove", &removes, err);

	if (status >= 0 && removes)
		status = access_check(request, SCOPE_ADMIN, err);
	return status < 0 ? status : removes;
}

int answer_run_form(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;
	int removes = form_removes(request, err), status = removes;

	if (removes == 1)
		status = answer_remove_run(service, request, reply, err);
	else if (!removes)
		status = answer_change_run(service, request, reply, err);
	buf_printf(&address, "/runs/%.*s", STR_ARG(request->capture));
	if (!status)
		page_go_on(reply, request, removes ? STR("/models") : buf_str(&address));
	return status;
}

static void put_model_address(const struct request *request, struct buf *out)
{
	struct str name = request_value(request, "name"), project = request_value(request, "project");

	buf_add(out, STR("/models/"));
	url_put(out, name.len ? name : request->capture);
	if (!project.len)
		return;
	buf_add(out, STR("?project="));
	url_put(out, project);
}

int answer_model_form(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;
	int removes = form_removes(request, err), status = removes;

	if (removes == 1)
		status = answer_remove_model(service, request, reply, err);
	else if (!removes)
		status = answer_change_model(service, request, reply, err);
	put_model_address(request, &address);
	if (!status)
		page_go_on(reply, request, removes ? STR("/models") : buf_str(&address));
	return status;
}
