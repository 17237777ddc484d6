/* Operators as pages: found by name, and what becomes of one. */
#include "base/mem.h"
#include "base/url.h"
#include "check/lookup_put.h"
#include "check/search.h"
#include "opdb/resolve/history.h"
#include "report/sections.h"
#include "server/answer.h"
#include "server/handlers.h"
#include "server/page.h"

enum { LISTED = 50 };

/* --- operators by name */

struct search_form {
	struct page *page;
	struct str words;
};

static void put_search(struct buf *out, enum lang lang, const void *ctx)
{
	const struct search_form *form = ctx;

	html(out, "<form class=\"controls\" role=\"search\" action=\"/operators\"><input name=\"q\" type=\"search\"");
	html_attribute(out, "value", form->words);
	html_attribute(out, "placeholder", catalog_text(lang, STR("report.search")));
	html_attribute(out, "aria-label", catalog_text(lang, STR("report.search")));
	html(out, ">");
	page_keep_lang(form->page);
	html(out, "<button type=\"submit\">");
	html_label(out, lang, "page.search");
	html(out, "</button></form>\n");
}

static int put_operator_row(struct page *page, struct resolver *resolver, struct str name,
	const struct target_list *targets, struct err *err)
{
	struct doc *doc = &page->doc;
	int status = 0;

	doc_row(doc);
	doc_cell(doc);
	doc_link(doc, SPAN_NAME, page_address(page, "/operators/", name), name);
	doc_close(doc);
	for (size_t i = 0; i < targets->count && !status; i++) {
		enum op_status found = OP_UNKNOWN;

		status = lookup_status(resolver, &targets->items[i], name, &found, err);
		doc_cell(doc);
		doc_tag(doc, SET_STATUS, op_status_name(found));
		doc_close(doc);
	}
	doc_close(doc);
	return status;
}

static int put_operator_table(struct page *page, const struct opdb *db, const struct search_result *found,
	const struct target_list *targets, struct err *err)
{
	struct doc *doc = &page->doc;
	struct doc_column *columns = arena_alloc(&doc->arena, (targets->count + 1) * sizeof(columns[0]));
	struct resolver *resolver = resolver_new(db);
	int status = 0;

	columns[0] = (struct doc_column){ .label = "report.operator" };
	for (size_t i = 0; i < targets->count; i++)
		columns[i + 1] = (struct doc_column){ .title = arena_keep(
							      &doc->arena, str_from(targets->items[i].id)) };
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = targets->count + 1 });
	for (size_t i = 0; i < found->count && !status; i++)
		status = put_operator_row(page, resolver, found->names[i], targets, err);
	doc_close(doc);
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
	doc_open(&page->doc, BLOCK_PARAGRAPH);
	doc_link(&page->doc, SPAN_NEXT, page_address_query(page, "/operators", query, ARRAY_SIZE(query)),
		doc_label_of(&page->doc, "page.next"));
	doc_close(&page->doc);
}

static int put_operators(const struct opdb *db, struct request *request, struct reply *reply, struct err *err)
{
	struct search search = { request_value(request, "q"), request_value(request, "cursor"), LISTED };
	struct target_list targets = { 0 };
	struct search_result found;
	struct page page;
	int status = search_operators(db, &search, &request->arena, &found, err);

	if (!status)
		status = targets_choose(db, &(struct target_question){ .torch = STR("") }, &targets, err);
	if (status)
		return status;
	page_reply(reply, request);
	page = page_begin(request, &reply->body, catalog_text(request->lang, STR("page.operators")));
	page_title(&page, "page.operators", "page.operators-about");
	doc_figure(&page.doc, put_search, &(struct search_form){ &page, search.words });
	doc_open(&page.doc, BLOCK_SOFT);
	doc_printf(&page.doc, "%zu %.*s", found.total, STR_ARG(doc_label_of(&page.doc, "page.found")));
	doc_close(&page.doc);
	if (found.count)
		status = put_operator_table(&page, db, &found, &targets, err);
	put_next(&page, &found, search.words);
	page_end(&page);
	target_list_clear(&targets);
	return status;
}

int page_operators(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	return answer_with_db(service, request, reply, err, put_operators);
}

/* --- one operator */

static void put_history(struct doc *doc, const struct history *history)
{
	doc_open(doc, BLOCK_SOFT);
	doc_printf(doc, "%.*s:", STR_ARG(doc_label_of(doc, "page.history")));
	doc_close(doc);
	doc_open(doc, BLOCK_STEPS);
	for (size_t i = 0; i < history->count; i++) {
		doc_open(doc, BLOCK_ITEM);
		doc_styled(doc, SPAN_NAME, history->transitions[i].release->name);
		doc_text(doc, STR(" "));
		doc_tag(doc, SET_STATUS, op_status_name(history->transitions[i].status));
		doc_close(doc);
	}
	doc_close(doc);
}

static void put_overloads(struct doc *doc, const struct result_verdict *verdict)
{
	if (!verdict->overload_count)
		return;
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < verdict->overload_count; i++) {
		doc_open(doc, BLOCK_ITEM);
		doc_styled(doc, SPAN_CODE, verdict->overloads[i].name);
		doc_text(doc, STR(" "));
		doc_tag(doc, SET_STATUS, op_status_name(verdict->overloads[i].status));
		doc_close(doc);
	}
	doc_close(doc);
}

static void put_lookup(struct doc *doc, const struct lookup *lookup)
{
	doc_open(doc, BLOCK_TITLE_NAME);
	doc_printf(doc, "%.*s%s%.*s", STR_ARG(lookup->name.len ? lookup->name : lookup->api),
		lookup->overload.len ? "." : "", STR_ARG(lookup->overload));
	doc_close(doc);
	if (lookup->known_in.len) {
		doc_open(doc, BLOCK_META);
		doc_printf(doc, "PyTorch %.*s", STR_ARG(lookup->known_in));
		doc_close(doc);
	}
	lookup_put_calls(doc, lookup);
	for (size_t i = 0; i < lookup->count; i++) {
		doc_open(doc, BLOCK_ANSWER);
		verdict_build(doc, &lookup->answers[i].verdict);
		put_overloads(doc, &lookup->answers[i].verdict);
		put_history(doc, &lookup->answers[i].history);
		doc_close(doc);
	}
}

struct choice_form {
	struct page *page;
	const struct opdb *db;
	struct str name;
};

/* The same operator on another release. */
static void put_choice(struct buf *out, enum lang lang, const void *ctx)
{
	const struct choice_form *form = ctx;

	html(out, "<form class=\"controls\" action=\"/operators/");
	url_put(out, form->name);
	html(out, "\"><label for=\"target\">");
	html_label(out, lang, "page.elsewhere");
	html(out, "</label> <select id=\"target\" name=\"target\">\n");
	for (unsigned target = 0; target < TARGET_COUNT; target++) {
		html(out, "<optgroup");
		html_attribute(out, "label", catalog_text(lang, str_from(page_target_label((enum target_kind)target))));
		html(out, ">\n");
		page_put_releases(form->page, form->db, (enum target_kind)target, false);
		html(out, "</optgroup>\n");
	}
	html(out, "</select>");
	page_keep_lang(form->page);
	html(out, "<button type=\"submit\">");
	html_label(out, lang, "page.show");
	html(out, "</button></form>\n");
}

static int put_operator(const struct opdb *db, struct request *request, struct reply *reply, struct err *err)
{
	struct target_list targets;
	struct lookup lookup;
	int status = answer_take_targets(request, db, &targets, err);

	if (status)
		return status;
	status = lookup_run(db, request->capture, &targets, &lookup, err);
	if (!status) {
		struct page page;

		page_reply(reply, request);
		page = page_begin(request, &reply->body, lookup.name.len ? lookup.name : lookup.api);
		put_lookup(&page.doc, &lookup);
		doc_figure(&page.doc, put_choice, &(struct choice_form){ &page, db, request->capture });
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
