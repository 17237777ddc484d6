/* Operators as pages: found by name, and what becomes of one. */
#include "base/mem.h"
#include "base/url.h"
#include "check/lookup.h"
#include "check/search.h"
#include "opdb/resolve/history.h"
#include "report/sections.h"
#include "server/answer.h"
#include "server/handlers.h"
#include "server/page.h"

enum { LISTED = 50 };

/* --- operators by name */

static void put_search(struct page *page, struct str words)
{
	html(page->out,
		"<form class=\"controls\" role=\"search\" action=\"/operators\"><input name=\"q\" type=\"search\"");
	html_attribute(page->out, "value", words);
	html_attribute(page->out, "placeholder", catalog_text(page->lang, STR("report.search")));
	html_attribute(page->out, "aria-label", catalog_text(page->lang, STR("report.search")));
	html(page->out, ">");
	page_keep_lang(page);
	html(page->out, "<button type=\"submit\">");
	page_label(page, "page.search");
	html(page->out, "</button></form>\n");
}

static int put_operator_row(struct page *page, struct resolver *resolver, struct str name,
	const struct target_list *targets, struct err *err)
{
	int status = 0;

	html(page->out, "<tr><td><a class=\"name\"");
	page_href(page, "/operators/", name);
	html(page->out, ">");
	html_text(page->out, name);
	html(page->out, "</a></td>");
	for (size_t i = 0; i < targets->count && !status; i++) {
		enum op_status found = OP_UNKNOWN;

		status = lookup_status(resolver, &targets->items[i], name, &found, err);
		html(page->out, "<td>");
		html_tag(page->out, page->lang, "s-", "status", op_status_name(found));
		html(page->out, "</td>");
	}
	html(page->out, "</tr>\n");
	return status;
}

static void put_found(struct page *page, const struct search_result *found)
{
	html(page->out, "<p class=\"soft\">");
	buf_printf(page->out, "%zu ", found->total);
	page_label(page, "page.found");
	html(page->out, "</p>\n");
}

static int put_operator_table(struct page *page, const struct opdb *db, const struct search_result *found,
	const struct target_list *targets, struct err *err)
{
	struct resolver *resolver = resolver_new(db);
	int status = 0;

	html(page->out, "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">");
	page_label(page, "report.operator");
	html(page->out, "</th>");
	for (size_t i = 0; i < targets->count; i++) {
		html(page->out, "<th scope=\"col\">");
		html_text(page->out, str_from(targets->items[i].id));
		html(page->out, "</th>");
	}
	html(page->out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < found->count && !status; i++)
		status = put_operator_row(page, resolver, found->names[i], targets, err);
	html(page->out, "</tbody>\n</table></div>\n");
	resolver_free(resolver);
	return status;
}

/* The words stay when the list goes on. */
static void put_next(struct page *page, const struct search_result *found, struct str words)
{
	struct parameter query[] = { { STR("q"), words }, { STR("cursor"), STR("") } };

	if (!found->more)
		return;
	query[1].value = found->names[found->count - 1];
	html(page->out, "<p><a rel=\"next\"");
	page_href_query(page, "/operators", query, ARRAY_SIZE(query));
	html(page->out, ">");
	page_label(page, "page.next");
	html(page->out, "</a></p>\n");
}

static int put_operators(const struct opdb *db, struct request *request, struct reply *reply, struct err *err)
{
	struct str words = request_value(request, "q");
	struct target_list targets = { 0 };
	struct search_result found;
	struct page page;
	int status = search_operators(
		db, words, request_value(request, "cursor"), LISTED, &request->arena, &found, err);

	if (!status)
		status = targets_choose(db, &(struct target_question){ .torch = STR("") }, &targets, err);
	if (status)
		return status;
	page_reply(reply, request);
	page = page_begin(request, &reply->body, catalog_text(request->lang, STR("page.operators")));
	page_title(&page, "page.operators", "page.operators-about");
	put_search(&page, words);
	put_found(&page, &found);
	if (found.count)
		status = put_operator_table(&page, db, &found, &targets, err);
	put_next(&page, &found, words);
	page_end(&page);
	target_list_clear(&targets);
	return status;
}

int page_operators(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	return answer_with_db(service, request, reply, err, put_operators);
}

/* --- one operator */

static void put_history(struct page *page, const struct history *history)
{
	html(page->out, "<p class=\"soft\">");
	page_label(page, "page.history");
	html(page->out, ":</p><ol class=\"history\">");
	for (size_t i = 0; i < history->count; i++) {
		html(page->out, "<li><span class=\"name\">");
		html_text(page->out, history->transitions[i].release->name);
		html(page->out, "</span> ");
		html_tag(page->out, page->lang, "s-", "status", op_status_name(history->transitions[i].status));
		html(page->out, "</li>");
	}
	html(page->out, "</ol>\n");
}

static void put_overloads(struct page *page, const struct result_verdict *verdict)
{
	if (!verdict->overload_count)
		return;
	html(page->out, "<ul>");
	for (size_t i = 0; i < verdict->overload_count; i++) {
		html(page->out, "<li><code>");
		html_text(page->out, verdict->overloads[i].name);
		html(page->out, "</code> ");
		html_tag(page->out, page->lang, "s-", "status", verdict->overloads[i].status);
		html(page->out, "</li>");
	}
	html(page->out, "</ul>\n");
}

static void put_verdict(struct page *page, const struct result_verdict *verdict)
{
	struct doc doc = page_doc(page);

	verdict_build(&doc, verdict);
	doc_put(&doc, page->out);
}

static void put_lookup(struct page *page, const struct lookup *lookup)
{
	html(page->out, "<h1 class=\"name\">");
	html_text(page->out, lookup->name);
	if (lookup->overload.len) {
		html(page->out, ".");
		html_text(page->out, lookup->overload);
	}
	html(page->out, "</h1>\n");
	if (lookup->known_in.len) {
		html(page->out, "<p class=\"meta\">PyTorch ");
		html_text(page->out, lookup->known_in);
		html(page->out, "</p>\n");
	}
	for (size_t i = 0; i < lookup->count; i++) {
		html(page->out, "<section class=\"card answer\">\n");
		put_verdict(page, &lookup->answers[i].verdict);
		put_overloads(page, &lookup->answers[i].verdict);
		put_history(page, &lookup->answers[i].history);
		html(page->out, "</section>\n");
	}
}

/* The same operator on another release. */
static void put_choice(struct page *page, const struct opdb *db, struct str name)
{
	html(page->out, "<form class=\"controls\" action=\"/operators/");
	url_put(page->out, name);
	html(page->out, "\"><label for=\"target\">");
	page_label(page, "page.elsewhere");
	html(page->out, "</label> <select id=\"target\" name=\"target\">\n");
	for (unsigned target = 0; target < TARGET_COUNT; target++) {
		html(page->out, "<optgroup");
		html_attribute(page->out, "label",
			catalog_text(page->lang, str_from(page_target_label((enum target_kind)target))));
		html(page->out, ">\n");
		page_put_releases(page, db, (enum target_kind)target, false);
		html(page->out, "</optgroup>\n");
	}
	html(page->out, "</select>");
	page_keep_lang(page);
	html(page->out, "<button type=\"submit\">");
	page_label(page, "page.show");
	html(page->out, "</button></form>\n");
}

static int put_operator(const struct opdb *db, struct request *request, struct reply *reply, struct err *err)
{
	struct target_list targets;
	struct lookup lookup;
	int status = answer_take_targets(request, db, &targets, err);

	if (status)
		return status;
	status = lookup_run(db, request->capture, targets.items, targets.count, &lookup, err);
	if (!status) {
		struct page page;

		page_reply(reply, request);
		page = page_begin(request, &reply->body, lookup.name);
		put_lookup(&page, &lookup);
		put_choice(&page, db, request->capture);
		page_end(&page);
	}
	lookup_clear(&lookup);
	target_list_clear(&targets);
	return status;
}

int page_operator(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	return answer_with_db(service, request, reply, err, put_operator);
}
