/* Two assessments beside each other: what changed, as JSON and as a page. `opcheck diff` says the same. */
#include "base/mem.h"
#include "check/check.h"
#include "report/changes.h"
#include "report/load.h"
#include "server/answer.h"
#include "server/handlers.h"
#include "server/page.h"

enum { LISTED = 100, LEAST_SHARE_PPM = 10000 };

/* The comparison that ?a= and ?b= ask for. */
struct comparison {
	struct result *before, *after;
	struct changes *changes;
	unsigned fail_on;
};

static void clear_comparison(struct comparison *comparison)
{
	changes_free(comparison->changes);
	result_free(comparison->before);
	result_free(comparison->after);
}

static int load_report(const struct service *service, struct str id, struct result **ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf json = BUF_UNLIMITED;
	int status = store_report(service->store, id, &json, err);

	if (status == 0)
		return answer_missing(err, "assessment");
	return status < 0 ? status : report_load(buf_str(&json), ret, err);
}

static int compare_reports(
	const struct service *service, const struct request *request, struct comparison *ret, struct err *err)
{
	struct str before = request_value(request, "a"), after = request_value(request, "b");
	struct str words = request_value(request, "fail_on");
	int status;

	if (!before.len || !after.len) {
		err_set(err, ERR_ARGUMENT, "two assessments are needed");
		return err_hint(err, "name them with ?a=ID&b=ID");
	}
	status = words.len ? change_words_parse(&ret->fail_on, words, err) : 0;
	if (!status)
		status = load_report(service, before, &ret->before, err);
	if (!status)
		status = load_report(service, after, &ret->after, err);
	if (!status)
		ret->changes = changes_find(ret->before, ret->after, LEAST_SHARE_PPM);
	return status;
}

int answer_compare(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(clear_comparison) struct comparison comparison = { .before = NULL };
	CLEANUP(buf_clear) struct buf tag = BUF_UNLIMITED;
	int status = compare_reports(service, request, &comparison, err);

	if (status)
		return status;
	reply_start(reply, STATUS_OK, MEDIA_JSON);
	buf_printf(&tag, "%.*s-%.*s-%x-%s", STR_ARG(request_value(request, "a")), STR_ARG(request_value(request, "b")),
		comparison.fail_on, check_version());
	if (!reply_is_unchanged(reply, request, &tag, CACHE_FOREVER))
		changes_put_json(&(struct changes_view){ comparison.changes, comparison.fail_on },
			&(struct render_options){ .lang = request->lang }, &reply->body);
	return 0;
}

/* --- the page */

static void put_choice(struct page *page, const struct record_list *list, const char *name, const char *label)
{
	struct str chosen = request_value(page->request, name);

	html(page->out, "<div><label");
	html_attribute(page->out, "for", str_from(name));
	html(page->out, ">");
	page_label(page, label);
	html(page->out, "</label>\n<select");
	html_attribute(page->out, "id", str_from(name));
	html_attribute(page->out, "name", str_from(name));
	html(page->out, " required>\n");
	for (size_t i = 0; i < list->count; i++) {
		const struct record *record = &list->items[i];

		html(page->out, "<option");
		html_attribute(page->out, "value", record->id);
		if (str_eq(record->id, chosen))
			html(page->out, " selected");
		html(page->out, ">");
		html_text(page->out, record->name);
		html(page->out, " \xc2\xb7 ");
		html_text(page->out, record->created_at);
		html(page->out, "</option>\n");
	}
	html(page->out, "</select></div>\n");
}

struct compare_form {
	struct page *page;
	const struct record_list *list;
};

static void put_form(struct buf *out, enum lang lang, const void *ctx)
{
	struct page *page = ((const struct compare_form *)ctx)->page;
	const struct record_list *list = ((const struct compare_form *)ctx)->list;

	(void)out; /* that of the page */
	(void)lang;
	html(page->out, "<form method=\"get\" action=\"/compare\">\n<div class=\"choices\">\n");
	put_choice(page, list, "a", "page.compare-before");
	put_choice(page, list, "b", "page.compare-after");
	html(page->out, "</div>\n");
	page_keep_lang(page);
	html(page->out, "<p class=\"send\"><button type=\"submit\">");
	page_label(page, "page.compare");
	html(page->out, "</button></p>\n</form>\n");
}

int page_compare(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(clear_comparison) struct comparison comparison = { .before = NULL };
	bool asked = request_value(request, "a").len || request_value(request, "b").len;
	struct record_list list;
	struct page page;
	struct compare_form form = { &page, &list };
	int status = store_list(service->store, 0, LISTED, &request->arena, &list, err);

	if (!status && asked)
		status = compare_reports(service, request, &comparison, err);
	if (status)
		return status;
	page_reply(reply, request);
	page = page_begin(request, &reply->body, catalog_text(request->lang, STR("page.compare")));
	page_title(&page, "page.compare", "page.compare-about");
	if (list.count)
		doc_figure(&page.doc, put_form, &form);
	else
		doc_say_label(&page.doc, BLOCK_SOFT, "page.none");
	if (asked)
		changes_build(&page.doc, &(struct changes_view){ comparison.changes, comparison.fail_on });
	page_end(&page);
	return 0;
}
