#include "server/pages/handlers.h"

#include "base/memory/mem.h"
#include "server/api/compare.h"
#include "server/pages/page.h"
#include "store/assessments.h"

enum { LISTED = 100 };

/* The one before the newest, of a dump of the same name if there is one. */
static size_t one_before(const struct stored_list *list)
{
	for (size_t i = 1; i < list->count; i++) {
		if (str_eq(list->items[i].name, list->items[0].name))
			return i;
	}
	return list->count > 1;
}

/* Unless one is asked for, the assessment before the newest is compared with the newest; never one with itself. */
static struct str chosen_of(struct page *page, const struct stored_list *list, const char *name)
{
	bool before = strcmp(name, "a") == 0;
	struct str asked = request_value(page->request, name), other = request_value(page->request, before ? "b" : "a");
	size_t at = before ? one_before(list) : 0;

	if (list->count > 1 && other.len && str_starts(list->items[at].id, other))
		at = before ? 0 : one_before(list);
	return asked.len ? asked : list->items[at].id;
}

static void put_choice(struct page *page, const struct stored_list *list, const char *name, const char *label)
{
	struct str chosen = chosen_of(page, list, name);

	page_html(page, "<div><label for=\"{}\">{}</label>\n<select id=\"{}\" name=\"{}\" required>\n", str_from(name),
		doc_label_of(&page->doc, label), str_from(name), str_from(name));
	if (!ANY(i, list->count, str_starts(list->items[i].id, chosen))) /* an older one */
		page_html(page, "<option selected>{}</option>\n", chosen);
	for (size_t i = 0; i < list->count; i++) {
		const struct stored_assessment *record = &list->items[i];

		page_html(page, "<option value=\"{}\"", record->id);
		if (str_starts(record->id, chosen))
			page_html(page, " selected");
		page_html(page, ">{} \xc2\xb7 {}</option>\n", record->name, record->created_at);
	}
	page_html(page, "</select></div>\n");
}

static int put_page(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf changed = BUF_UNLIMITED;
	struct stored_list list;
	struct page page;
	int status = store_list(
		service->store, &(struct list_page){ 0, LISTED, request->caller.project }, &request->arena, &list, err);

	if (!status && request->job)
		status = compare_take(request, &changed, err);
	if (status)
		return status;
	page = page_start(reply, request, "page.compare");
	page_title(&page, "page.compare", "page.compare-about");
	if (list.count) {
		page_html(&page, "<form method=\"get\" action=\"/compare\">\n<div class=\"choices\">\n");
		put_choice(&page, &list, "a", "page.compare-before");
		put_choice(&page, &list, "b", "page.compare-after");
		page_html(&page, "</div>\n{keep-lang}<p class=\"send\">"
				 "<button type=\"submit\">{page.compare}</button></p>\n</form>\n");
		page_figure(&page);
	} else {
		doc_say_label(&page.doc, BLOCK_SOFT, "page.none");
	}
	buf_add(&page.markup, buf_str(&changed));
	page_figure(&page);
	page_end(&page);
	return 0;
}

int page_compare(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	unsigned fail_on;
	int status;

	if (!request_value(request, "a").len && !request_value(request, "b").len)
		return put_page(service, request, reply, err);
	status = compare_check(request, &fail_on, err);
	if (!status)
		status = compare_prepare_named(service, request, "page", put_page, err);
	return status ? status : put_page(service, request, reply, err);
}
