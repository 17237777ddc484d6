#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/url.h"
#include "check/lookup/lookup_doc.h"
#include "check/lookup/lookup_page.h"
#include "check/lookup/lookup_related.h"
#include "check/lookup/release_table.h"
#include "check/lookup/search.h"
#include "opdb/db/lists.h"
#include "server/api/named.h"
#include "server/http/answer.h"
#include "server/pages/handlers.h"
#include "server/pages/page.h"
#include "server/pages/page_targets.h"
#include "server/service/databases.h"
#include "store/project.h"

enum { LISTED = 50, LOOKED_THROUGH = 600, MOST_TARGETS = 8, MOST_NAMES = 20000, MOST_USES = 4000 };

/* --- operators by name */

struct named_use {
	struct str name;
	uint64_t runs; /* that have it, of those that the caller may see */
	size_t place;  /* in the order of the names */
};

struct listing {
	const struct opdb *db;
	struct page *page;
	struct target_list targets;
	struct resolver *resolver;
	struct str words, status; /* status "": any, else on one of the targets */
	struct named_use *names;  /* that fit the words, the most used first */
	size_t count, at;         /* at: the next one to be looked at */
	size_t shown;
};

static int order_by_name(const void *a, const void *b)
{
	return str_order(&((const struct operator_use *)a)->op, &((const struct operator_use *)b)->op);
}

static int order_by_use(const void *a, const void *b)
{
	const struct named_use *first = a, *second = b;

	if (first->runs != second->runs)
		return first->runs > second->runs ? -1 : 1;
	return first->place < second->place ? -1 : first->place > second->place;
}

/* Names come in their order; what runs use goes before the others. */
static void order_names(struct listing *list, const struct search_result *found, struct use_list *uses)
{
	qsort(uses->items, uses->count, sizeof(uses->items[0]), order_by_name);
	for (list->count = 0; list->count < found->count; list->count++) {
		struct operator_use wanted = { .op = found->names[list->count] };
		const struct operator_use *use = bsearch(
			&wanted, uses->items, uses->count, sizeof(uses->items[0]), order_by_name);

		list->names[list->count] = (struct named_use){ wanted.op, use ? use->runs : 0, list->count };
	}
	qsort(list->names, list->count, sizeof(list->names[0]), order_by_use);
}

/* The query of the search, with statuses and release. */
static void put_search(struct listing *list)
{
	struct page *page = list->page;

	page_html(page,
		"<form class=\"controls\" role=\"search\" action=\"/operators\"><input name=\"q\" type=\"search\" "
		"value=\"{}\" placeholder=\"{page.find-operator}\" aria-label=\"{page.find-operator}\">"
		"<select name=\"status\" aria-label=\"{report.status}\"><option value=\"\">{page.any-status}</option>",
		list->words);
	for (unsigned i = 0; i < OP_STATUS_COUNT; i++) {
		struct str name = op_status_name((enum op_status)i);

		page_html(page, "<option value=\"{}\"", name);
		if (str_eq(name, list->status))
			page_html(page, " selected");
		page_html(page, ">{}</option>", doc_word_of(&page->doc, "status", name));
	}
	page_html(page,
		"</select><input name=\"target\" autocomplete=\"off\" list=\"releases\" "
		"placeholder=\"npu@v2.7.1-26.0.0\" value=\"{}\" aria-label=\"{report.target}\">"
		"<datalist id=\"releases\">\n",
		request_value(page->request, "target"));
	for (unsigned kind = 0; kind < TARGET_COUNT; kind++)
		page_put_releases(page, list->db, (enum target_kind)kind, false);
	page_html(page, "</datalist>{keep-lang}<button type=\"submit\">{page.search}</button></form>\n");
	page_figure(page);
}

static void put_operator_row(const struct listing *list, const struct named_use *use, const enum op_status *statuses)
{
	struct str name = use->name;
	struct doc *doc = &list->page->doc;

	doc_row(doc);
	page_cell_link(list->page, page_address(list->page, "/operators/", name), name);
	for (size_t i = 0; i < list->targets.count; i++)
		doc_cell_tag(doc, SET_STATUS, op_status_name(statuses[i]));
	if (use->runs)
		doc_cell_number(doc, use->runs);
	else
		doc_cell_text(doc, STR(""));
}

/* Shows an operator unless it has another status on every target. */
static int look_at(struct listing *list, const struct named_use *use, struct err *err)
{
	enum op_status statuses[MOST_TARGETS];
	bool fits = !list->status.len;
	int status = 0;

	for (size_t i = 0; i < list->targets.count && !status; i++) {
		status = lookup_status(list->resolver, &list->targets.items[i], use->name, &statuses[i], err);
		fits = fits || (!status && str_eq(op_status_name(statuses[i]), list->status));
	}
	if (status || !fits)
		return status;
	put_operator_row(list, use, statuses);
	list->shown++;
	return 0;
}

/* As many operators that fit as a page has, or as there are among those that one request looks at. */
static int put_operator_table(struct listing *list, struct err *err)
{
	struct doc *doc = &list->page->doc;
	struct doc_column *columns = arena_alloc(&doc->arena, (list->targets.count + 2) * sizeof(columns[0]));
	size_t end = list->status.len && list->count - list->at > LOOKED_THROUGH ? list->at + LOOKED_THROUGH
										 : list->count;
	int status = 0;

	columns[0] = (struct doc_column){ .label = "report.operator" };
	for (size_t i = 0; i < list->targets.count; i++)
		columns[i + 1] = (struct doc_column){ .title = arena_keep(
							      &doc->arena, str_from(list->targets.items[i].id)) };
	columns[list->targets.count + 1] = (struct doc_column){ .label = "page.runs", .number = true };
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = list->targets.count + 2 });
	list->resolver = resolver_new(list->db);
	resolver_set_texts(list->resolver, false);
	while (list->at < end && list->shown < LISTED && !status)
		status = look_at(list, &list->names[list->at++], err);
	resolver_free(list->resolver);
	doc_table_end(doc);
	return status;
}

static int put_list(struct listing *list, struct request *request, struct reply *reply, struct err *err)
{
	struct page *page = list->page;
	int status = 0;

	*page = page_start(reply, request, "page.operators");
	page_title(page, "page.operators", "page.operators-about");
	put_search(list);
	doc_say_printf(
		&page->doc, BLOCK_SOFT, "%zu %.*s", list->count, STR_ARG(doc_label_of(&page->doc, "page.found")));
	if (list->count)
		status = put_operator_table(list, err);
	if (list->at < list->count)
		page_put_next(page, doc_format_of(&page->doc, "%zu", list->at), "page.next");
	page_end(page);
	return status;
}

static int take_status(const struct request *request, struct str *ret, struct err *err)
{
	*ret = request_value(request, "status");
	if (ANY(i, OP_STATUS_COUNT, !ret->len || str_eq(*ret, op_status_name((enum op_status)i))))
		return 0;
	err_set(err, ERR_VALUE, "no status '%s'", shown(*ret).text);
	return err_hint(err,
		"use native, native-jit, composite, equivalent, cpu-fallback, unsupported, needs-package or "
		"unknown");
}

/* Names of Python and of graphs lead to the operator itself. */
static bool is_exact(const struct opdb *db, struct str words)
{
	static const char *const begins[] = { "torch.", "nn.", "F.", "Tensor.", "aten.", "prims." };
	struct target_list none = { 0 };
	struct lookup lookup;
	struct err ignored;
	bool known = false;

	for (size_t i = 0; i < ARRAY_SIZE(begins) && !known; i++)
		known = str_starts(words, str_from(begins[i]));
	if (!known)
		return false;
	known = lookup_run(db, words, &none, &lookup, &ignored) == 0;
	lookup_clear(&lookup);
	return known;
}

static void go_to_operator(struct reply *reply, struct request *request, struct str name)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;

	buf_add(&address, STR("/operators/"));
	url_put(&address, name);
	page_go_on(reply, request, buf_str(&address));
}

static int find_names(const struct service *service, struct request *request, struct listing *list, struct err *err)
{
	struct search search = { list->words, STR(""), MOST_NAMES };
	struct search_result found = { 0 };
	struct use_list uses;
	uint64_t from = 0;
	int status = answer_take_cursor(request, &from, err);

	if (!status)
		status = search_operators(list->db, &search, &request->arena, &found, err);
	if (!status)
		status = store_list_uses(service->store, &(struct use_query){ request->caller.project, MOST_USES },
			&request->arena, &uses, err);
	if (status)
		return status;
	list->names = arena_alloc(&request->arena, (found.count + 1) * sizeof(list->names[0]));
	order_names(list, &found, &uses);
	list->at = from < list->count ? (size_t)from : list->count;
	return 0;
}

static int put_demand_table(const struct service *service, const struct opdb *db, struct request *request,
	struct reply *reply, struct err *err)
{
	struct page page;
	struct listing list = { .db = db, .page = &page, .words = request_value(request, "q") };
	int status = take_status(request, &list.status, err);

	if (!status && is_exact(db, list.words)) {
		go_to_operator(reply, request, list.words);
		return 0;
	}
	if (!status)
		status = answer_take_targets(request, db, &list.targets, err);
	if (!status && list.targets.count > MOST_TARGETS)
		status = err_set(err, ERR_VALUE, "a list shows at most %d targets", MOST_TARGETS);
	if (!status)
		status = find_names(service, request, &list, err);
	if (!status)
		status = put_list(&list, request, reply, err);
	target_list_clear(&list.targets);
	return status;
}

int page_operators(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct opdb *db;
	int status = service_open_db(service, &db, err);

	if (status)
		return status;
	status = put_demand_table(service, db, request, reply, err);
	service_close_db(service, db);
	return status;
}

/* --- one operator */

/* On both targets, whichever the page asks about. */
static int put_life(struct doc *doc, const struct opdb *db, const struct lookup *lookup, struct err *err)
{
	struct target_list both;
	CLEANUP(lookup_clear) struct lookup life = { 0 };
	int status = lookup->count ? targets_choose(db, &(struct target_question){ 0 }, &both, err) : 0;

	if (status || !lookup->count)
		return status;
	status = lookup_run(db, lookup->name, &both, &life, err);
	if (!status)
		lookup_build_life(doc, db, &life);
	target_list_clear(&both);
	return status;
}

/* The same operator on another release. */
static void put_choice(struct page *page, const struct opdb *db, struct str name)
{
	page_html(page, "<form class=\"controls\" action=\"/operators/");
	url_put(&page->markup, name);
	page_html(page, "\"><label for=\"target\">{page.elsewhere}</label> <select id=\"target\" name=\"target\">\n");
	for (unsigned target = 0; target < TARGET_COUNT; target++) {
		page_html(page, "<optgroup label=\"{}\">\n",
			doc_label_of(&page->doc, release_group_label((enum target_kind)target)));
		page_put_releases(page, db, (enum target_kind)target, false);
		page_html(page, "</optgroup>\n");
	}
	page_html(page, "</select>{keep-lang}<button type=\"submit\">{page.show}</button></form>\n");
	page_figure(page);
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
		lookup_build_head(&page.doc, &lookup);
		status = put_life(&page.doc, db, &lookup, err);
		lookup_build_answers(&page.doc, &lookup);
		recipe_list_build(&page.doc, &lookup.recipes);
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
