#include <stdio.h>
#include <time.h>

#include "base/memory/mem.h"
#include "base/value/date.h"
#include "server/api/handlers.h"
#include "server/http/access.h"
#include "server/pages/handlers.h"
#include "server/pages/page.h"
#include "server/service/all_jobs.h"
#include "server/service/find.h"
#include "server/service/token_command.h"

static void open_form(struct page *page, const char *path, struct str segment)
{
	page_html(page,
		"<form class=\"controls\" method=\"post\" enctype=\"multipart/form-data\" action=\"{}\">\n"
		"{csrf}",
		page_address(page, path, segment));
}

/* A cell with a form that is one button, unless it is about nothing; its field is what the browser sends with it, as a
   form without one is none. */
static void put_button_cell(struct page *page, const char *path, struct str segment, const char *label)
{
	doc_cell(&page->doc);
	if (segment.len) {
		open_form(page, path, segment);
		page_html(page,
			"<input type=\"hidden\" name=\"sure\" value=\"true\"><button type=\"submit\" class=\"plain\">{}"
			"</button></form>\n",
			doc_label_of(&page->doc, label));
		page_figure(page);
	}
}

/* --- tokens */

/* "2026-08-22", "" of a time that there is none of. */
static struct str day_of(struct doc *doc, uint64_t seconds)
{
	char text[DATE_BYTES];

	return seconds && date_of(seconds, text) ? arena_keep(&doc->arena, str_from(text)) : STR("");
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
	put_button_cell(page, "/tokens/", token->revoked_at ? STR("") : token->id, "token.revoke");
}

static void put_token_form(struct page *page)
{
	static const char *const fields[][3] = { { "name", "page.name", "ci" }, { "project", "page.project", "vision" },
		{ "expires", "token.expires", "90d" } };

	open_form(page, "/tokens", STR(""));
	page_html(page, "<div><label for=\"scope\">{token.scope}</label><select id=\"scope\" name=\"scope\">"
			"<option>read</option><option selected>submit</option><option>admin</option></select></div>\n");
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		page_html(page,
			"<div><label for=\"{}\">{}</label><input id=\"{}\" name=\"{}\" autocomplete=\"off\" "
			"placeholder=\"{}\"></div>\n",
			str_from(fields[i][0]), doc_label_of(&page->doc, fields[i][1]), str_from(fields[i][0]),
			str_from(fields[i][0]), str_from(fields[i][2]));
	page_html(page, "<button type=\"submit\">{token.make}</button></form>\n");
	page_figure(page);
}

/* made: the text of a new token, shown only once; "". */
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

	page = page_start(reply, request, "page.tokens");
	reply_header(reply, "Cache-Control", STR("no-store"));
	page_title(&page, "page.tokens", "page.tokens-about");
	if (*made) {
		doc_say_label(&page.doc, BLOCK_PARAGRAPH, "token.made");
		doc_code(&page.doc, STR("text"), arena_keep(&page.doc.arena, str_from(made)));
	}
	put_token_form(&page);
	doc_table(&page.doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .name = "tokens" });
	if (tokens)
		status = tokens_list(tokens, put_token, &page, err);
	doc_table_end(&page.doc);
	page_end(&page);
	return status;
}

int page_tokens(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	return put_tokens(service, request, reply, "", err);
}

static int no_tokens(struct err *err)
{
	return err_set(err, ERR_CONFIG, "without tokens, every client may do everything");
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
		return no_such(err, "token");
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
	doc_cell_text(doc, item->caller);
	put_button_cell(page, "/queue/", item->ticket, "queue.cancel");
}

int page_queue(const struct service *service, struct request *request, struct reply *reply, struct err *err UNUSED)
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
	size_t count = all_jobs(service, &request->arena, &items);
	struct page page;

	page = page_start(reply, request, "page.queue");
	reply_header(reply, "Cache-Control", STR("no-store"));
	page_title(&page, "page.queue", "page.queue-about");
	doc_table(&page.doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .name = "queue" });
	for (size_t i = 0; i < count; i++)
		put_job(&page, &items[i]);
	doc_table_end(&page.doc);
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
