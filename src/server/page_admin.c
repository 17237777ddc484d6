/* For administrators: the tokens of the service, and the jobs that it works on. */
#include <stdio.h>
#include <time.h>

#include "base/date.h"
#include "base/mem.h"
#include "base/url.h"
#include "server/access.h"
#include "server/answer.h"
#include "server/page_handlers.h"
#include "server/page.h"
#include "server/queue.h"
#include "server/token_command.h"

static void put_action(const struct page *page, const char *path, struct str segment)
{
	html(page->out, "<form class=\"controls\" method=\"post\" enctype=\"multipart/form-data\" action=\"");
	buf_printf(page->out, "%s", path);
	url_put(page->out, segment);
	if (page->request->lang_given)
		buf_printf(page->out, "?lang=%.*s", STR_ARG(lang_name(page->lang)));
	html(page->out, "\">\n");
	page_put_csrf(page);
}

/* A form that is one button; its field is what the browser sends with it, a form without one is none. */
struct button_form {
	const struct page *page;
	const char *path, *label;
	struct str segment;
};

static void put_button(struct buf *out, enum lang lang, const void *ctx)
{
	const struct button_form *form = ctx;

	put_action(form->page, form->path, form->segment);
	html(out, "<input type=\"hidden\" name=\"sure\" value=\"true\"><button type=\"submit\" class=\"plain\">");
	html_label(out, lang, form->label);
	html(out, "</button></form>\n");
}

static void put_button_cell(struct page *page, const struct button_form *form)
{
	struct button_form *kept = arena_alloc(&page->doc.arena, sizeof(*kept));

	*kept = *form;
	doc_cell(&page->doc);
	if (form->segment.len)
		doc_figure(&page->doc, put_button, kept);
	doc_close(&page->doc);
}

/* --- tokens */

/* "2026-08-22", "" of a time that there is none of. */
static struct str day_of(struct doc *doc, uint64_t seconds)
{
	char text[DATE_BYTES];
	time_t at = (time_t)seconds;
	struct tm day;

	if (!seconds || !gmtime_r(&at, &day) || !strftime(text, sizeof(text), "%Y-%m-%d", &day))
		return STR("");
	return arena_keep(&doc->arena, str_from(text));
}

static const char *state_of(const struct token *token)
{
	if (token->revoked_at)
		return "token.revoked";
	return token->expires_at && token->expires_at <= (uint64_t)time(NULL) ? "token.expired" : "token.valid";
}

/* An administrator of one project has to do with its tokens alone. */
static bool may_see(const struct request *request, const struct token *token)
{
	return !request->caller.project.len || str_eq(request->caller.project, token->project);
}

static void put_token(void *ctx, const struct token *token)
{
	struct page *page = ctx;
	struct doc *doc = &page->doc;
	const struct str texts[] = { token->id, token->name, token->scope, token->project };
	const uint64_t days[] = { token->created_at, token->expires_at, token->last_used_at };
	const char *state = state_of(token);

	if (!may_see(page->request, token))
		return;
	doc_row(doc);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		doc_cell_text(doc, arena_keep(&doc->arena, texts[i]));
	for (size_t i = 0; i < ARRAY_SIZE(days); i++)
		doc_cell_text(doc, day_of(doc, days[i]));
	doc_cell_text(doc, doc_label_of(doc, state));
	put_button_cell(page, &(struct button_form){ page, "/tokens/", "token.revoke",
				      token->revoked_at ? STR("") : arena_keep(&doc->arena, token->id) });
	doc_close(doc);
}

static void put_token_field(struct buf *out, enum lang lang, const char *const field[3])
{
	buf_printf(out, "<div><label for=\"%s\">", field[0]);
	html_label(out, lang, field[1]);
	buf_printf(out, "</label><input id=\"%s\" name=\"%s\" autocomplete=\"off\" placeholder=\"%s\"></div>\n",
		field[0], field[0], field[2]);
}

static void put_token_form(struct buf *out, enum lang lang, const void *ctx)
{
	static const char *const fields[][3] = { { "name", "page.name", "ci" }, { "project", "page.project", "vision" },
		{ "expires", "token.expires", "90d" } };
	static const char *const scopes[] = { "read", "submit", "admin" };
	const struct page *page = ctx;

	put_action(page, "/tokens", STR(""));
	html(out, "<div><label for=\"scope\">");
	html_label(out, lang, "token.scope");
	html(out, "</label><select id=\"scope\" name=\"scope\">");
	for (size_t i = 0; i < ARRAY_SIZE(scopes); i++)
		buf_printf(out, "<option%s>%s</option>", i == 1 ? " selected" : "", scopes[i]);
	html(out, "</select></div>\n");
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		put_token_field(out, lang, fields[i]);
	html(out, "<button type=\"submit\">");
	html_label(out, lang, "token.make");
	html(out, "</button></form>\n");
}

/* made: the text of a token that was just made, which nobody can show again; "". */
static int put_tokens(
	const struct service *service, struct request *request, struct reply *reply, const char *made, struct err *err)
{
	static const struct doc_column columns[] = {
		{ .label = "token.id", .css = "name" },
		{ .label = "page.name" },
		{ .label = "token.scope" },
		{ .label = "page.project" },
		{ .label = "token.created", .css = "fixed" },
		{ .label = "token.expires", .css = "fixed" },
		{ .label = "token.used", .css = "fixed" },
		{ .label = "report.status" },
		{ .label = "token.revoke" },
	};
	struct tokens *tokens = access_tokens(service->access);
	struct page page;
	int status = 0;

	page_reply(reply, request);
	reply_header(reply, "Cache-Control", STR("no-store"));
	page = page_begin(request, &reply->body, catalog_text(request->lang, STR("page.tokens")));
	page_title(&page, "page.tokens", "page.tokens-about");
	if (*made) {
		doc_say_label(&page.doc, BLOCK_PARAGRAPH, "token.made");
		doc_code(&page.doc, STR("text"), arena_keep(&page.doc.arena, str_from(made)));
	}
	doc_figure(&page.doc, put_token_form, &page);
	doc_table(&page.doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .name = "tokens" });
	if (tokens)
		status = tokens_list(tokens, put_token, &page, err);
	doc_close(&page.doc);
	page_end(&page);
	return status;
}

int page_tokens(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	return put_tokens(service, request, reply, "", err);
}

static int no_tokens(struct err *err)
{
	return err_set(err, ERR_CONFIG, "this service has no tokens: everybody may do everything");
}

int answer_token_form(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct str own = request->caller.project;
	const struct token_options options = { .name = request_value(request, "name"),
		.scope = request_value(request, "scope"),
		.project = own.len ? own : request_value(request, "project"),
		.expires = request_value(request, "expires") };
	struct tokens *tokens = access_tokens(service->access);
	char text[TOKEN_TEXT_BYTES] = "";
	struct token token;
	int status = tokens ? token_take(&options, &token, err) : no_tokens(err);

	if (!status)
		status = tokens_add(tokens, &token, text, err);
	if (status)
		return status;
	request->subject = arena_keep(&request->arena, token_id(text));
	return put_tokens(service, request, reply, text, err);
}

struct token_search {
	const struct request *request;
	bool found;
};

static void look_at_token(void *ctx, const struct token *token)
{
	struct token_search *search = ctx;

	search->found |= str_eq(token->id, search->request->capture) && may_see(search->request, token);
}

int answer_token_end(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct tokens *tokens = access_tokens(service->access);
	struct token_search search = { request, false };
	int status = tokens ? tokens_list(tokens, look_at_token, &search, err) : no_tokens(err);

	if (!status)
		status = search.found ? tokens_revoke(tokens, request->capture, err) : 0;
	if (status < 0)
		return status;
	if (!status)
		return answer_missing(err, "token");
	page_go_on(reply, request, STR("/tokens"));
	return 0;
}

/* --- jobs */

static void put_job(struct page *page, const struct queue_item *item)
{
	struct doc *doc = &page->doc;

	if (page->request->caller.project.len && !str_eq(page->request->caller.project, item->project))
		return;
	doc_row(doc);
	doc_cell_text(doc, item->name);
	doc_cell_text(doc, doc_label_of(doc, item->check ? "queue.check" : "queue.report"));
	doc_cell_text(doc, doc_label_of(doc, item->running ? "queue.running" : "queue.waiting"));
	doc_cell_text(doc, item->input_bytes ? doc_percent_of(doc, (int64_t)(1000000.0 * (double)item->read_bytes /
									     (double)item->input_bytes))
					     : STR(""));
	doc_cell_text(doc, item->owner);
	put_button_cell(page, &(struct button_form){ page, "/queue/", "queue.cancel", item->ticket });
	doc_close(doc);
}

int page_queue(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	static const struct doc_column columns[] = {
		{ .label = "page.dump", .css = "name" },
		{ .label = "queue.kind" },
		{ .label = "report.status" },
		{ .label = "queue.read", .number = true },
		{ .label = "queue.owner" },
		{ .label = "queue.cancel" },
	};
	struct queue_item *items;
	size_t count = queue_list(service->queue, &request->arena, &items);
	struct page page;

	(void)err;
	page_reply(reply, request);
	reply_header(reply, "Cache-Control", STR("no-store"));
	page = page_begin(request, &reply->body, catalog_text(request->lang, STR("page.queue")));
	page_title(&page, "page.queue", "page.queue-about");
	doc_table(&page.doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .name = "queue" });
	for (size_t i = 0; i < count; i++)
		put_job(&page, &items[i]);
	doc_close(&page.doc);
	if (!count)
		doc_say_label(&page.doc, BLOCK_SOFT, "queue.none");
	page_end(&page);
	return 0;
}

int answer_queue_form(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	int status = answer_cancel(service, request, reply, err);

	if (!status)
		page_go_on(reply, request, STR("/queue"));
	return status;
}
