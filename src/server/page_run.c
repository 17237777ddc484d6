/* One run of a model: what it was, with forms to rename, tag, keep and remove it; and such forms for a model. */
#include "base/mem.h"
#include "base/url.h"
#include "server/access.h"
#include "server/answer.h"
#include "server/handlers.h"
#include "server/page_handlers.h"
#include "server/page_models.h"

static void put_field(struct buf *out, enum lang lang, const char *const field[2], struct str value)
{
	buf_printf(out, "<div><label for=\"%s\">", field[0]);
	html_label(out, lang, field[1]);
	buf_printf(out, "</label><input id=\"%s\" name=\"%s\" autocomplete=\"off\"", field[0], field[0]);
	html_attribute(out, "value", value);
	html(out, "></div>\n");
}

struct run_form {
	struct page *page;
	const struct run *run;
	bool model; /* the whole model that it is a run of */
};

static void open_form(const struct run_form *form)
{
	struct page *page = form->page;

	html(page->out, "<form class=\"controls\" method=\"post\" enctype=\"multipart/form-data\"");
	html_attribute(page->out, "action",
		page_address(
			page, form->model ? "/models/" : "/runs/", form->model ? form->run->model : form->run->id));
	html(page->out, ">\n");
	page_put_csrf(page);
	if (!form->model)
		return;
	html(page->out, "<input type=\"hidden\" name=\"project\"");
	html_attribute(page->out, "value", form->run->project);
	html(page->out, ">\n");
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

static void put_forms(struct buf *out, enum lang lang, const void *ctx)
{
	static const char *const fields[][2] = { { "name", "page.name" }, { "name", "page.model" },
		{ "tag", "page.tags" } };
	static const struct {
		const char *keep, *unkeep, *remove;
	} labels[] = { { "page.keep", "page.unkeep", "page.remove" },
		{ "page.keep-runs", "page.unkeep-runs", "page.remove-model" } };
	const struct run_form *form = ctx;
	const struct run *run = form->run;
	CLEANUP(buf_clear) struct buf tags = BUF_UNLIMITED;

	for (size_t i = 0; i < run->tags.len; i++)
		buf_byte(&tags, run->tags.ptr[i] == ' ' ? ',' : run->tags.ptr[i]);
	open_form(form);
	put_field(out, lang, fields[form->model], form->model ? run->model : run->name);
	if (!form->model)
		put_field(out, lang, fields[2], buf_str(&tags));
	put_button(form->page, NULL, form->model ? "page.rename" : "page.save");
	open_form(form);
	put_button(form->page, run->kept ? "name=\"kept\" value=\"false\"" : "name=\"kept\" value=\"true\"",
		run->kept ? labels[form->model].unkeep : labels[form->model].keep);
	html(out, "<details><summary>");
	html_label(out, lang, labels[form->model].remove);
	html(out, "</summary>");
	open_form(form);
	put_button(form->page, "name=\"remove\" value=\"true\"", "page.remove-surely");
	html(out, "</details>\n");
}

void page_put_model_forms(struct page *page, const struct run *run)
{
	struct run_form *form = arena_alloc(&page->doc.arena, sizeof(*form));

	*form = (struct run_form){ page, run, true };
	doc_section(&page->doc, "page.whole-model");
	page_prose(page, "page.whole-model-about");
	doc_figure(&page->doc, put_forms, form);
	doc_close(&page->doc);
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
	doc_link(&page.doc, SPAN_PLAIN, page_address(&page, "/assessments/", run.record.id),
		doc_label_of(&page.doc, "page.report"));
	if (run.model.len) {
		doc_text(&page.doc, STR(" \xc2\xb7 "));
		doc_link(&page.doc, SPAN_NAME, model_address(&page, &model, NULL), run.model);
	}
	doc_close(&page.doc);
	put_run_facts(&page, &run);
	doc_figure(&page.doc, put_forms, &(struct run_form){ &page, &run, false });
	page_end(&page);
	return 0;
}

/* Whether a form asks to remove what its page is about, 1, or to change it, 0. */
static int form_removes(struct request *request, struct err *err)
{
	bool removes;
	int status = request_switch(request, "remove", &removes, err);

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
