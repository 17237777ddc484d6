/* The first page: handing in a dump, and the assessments that were made last. */
#include <stdio.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "server/answer.h"
#include "server/handlers.h"
#include "server/page.h"

enum { RECENT = 20 };

/* --- the form */

static void put_action(struct page *page)
{
	html(page->out,
		"<form id=\"upload\" method=\"post\" enctype=\"multipart/form-data\" action=\"/api/v1/assessments");
	if (page->request->lang_given) {
		html(page->out, "?lang=");
		html_text(page->out, lang_name(page->lang));
	}
	html(page->out, "\"");
	html_attribute(page->out, "data-busy", catalog_text(page->lang, STR("page.busy")));
	html_attribute(page->out, "data-sending", catalog_text(page->lang, STR("page.sending")));
	html_attribute(page->out, "data-lost", catalog_text(page->lang, STR("page.lost")));
	html(page->out, ">\n");
}

static void put_file(struct page *page)
{
	html(page->out, "<div id=\"drop\" class=\"drop\"><label for=\"file\">");
	page_label(page, "page.file");
	html(page->out,
		"</label>\n<input id=\"file\" name=\"file\" type=\"file\" required aria-describedby=\"file-about\">\n"
		"<p id=\"file-about\" class=\"soft\"><span class=\"js-only-inline\">");
	page_label(page, "page.drop");
	html(page->out, " </span>");
	page_label(page, "page.file-about");
	html(page->out, " <a");
	page_href(page, "/help", STR(""));
	html(page->out, ">");
	page_label(page, "page.file-how");
	html(page->out, "</a></p></div>\n");
}

/* One list a target, so that both choices are in sight. */
static void put_target(struct page *page, const struct opdb *db, enum target_kind target)
{
	struct str name = target_kind_name(target);

	html(page->out, "<div><label for=\"target-");
	html_text(page->out, name);
	html(page->out, "\">");
	page_label(page, page_target_label(target));
	html(page->out, "</label>\n<select id=\"target-");
	html_text(page->out, name);
	html(page->out, "\" name=\"target\" multiple size=\"8\" aria-describedby=\"target-about\">\n");
	page_put_releases(page, db, target, true);
	html(page->out, "</select></div>\n");
}

static void put_torch(struct page *page)
{
	html(page->out, "<div><label for=\"torch\">");
	page_label(page, "page.torch");
	html(page->out,
		"</label>\n<input id=\"torch\" name=\"torch\" autocomplete=\"off\" placeholder=\"2.7.1\" size=\"12\" "
		"aria-describedby=\"torch-about\">\n<p id=\"torch-about\" class=\"soft\">");
	page_label(page, "page.torch-about");
	html(page->out, "</p></div>\n");
}

static void put_form(struct page *page, const struct opdb *db)
{
	put_action(page);
	put_file(page);
	html(page->out, "<fieldset><legend>");
	page_label(page, "page.target");
	html(page->out, "</legend>\n<p id=\"target-about\" class=\"soft\">");
	page_label(page, "page.target-about");
	html(page->out, "</p>\n<div class=\"choices\">\n");
	for (unsigned target = 0; target < TARGET_COUNT; target++)
		put_target(page, db, (enum target_kind)target);
	put_torch(page);
	html(page->out, "</div></fieldset>\n<div id=\"problem\" class=\"problem\" role=\"alert\" hidden></div>\n"
			"<p class=\"send\"><button id=\"send\" type=\"submit\">");
	page_label(page, "page.send");
	html(page->out, "</button> <progress id=\"progress\" max=\"1\" hidden></progress> "
			"<output id=\"state\" class=\"soft\"></output></p>\n</form>\n");
}

/* --- the list */

static void put_bytes(struct page *page, uint64_t bytes)
{
	enum { KIB = 1024 };
	static const char *const units[] = { "B", "KiB", "MiB", "GiB" };
	uint64_t tenths = bytes * 10;
	size_t unit = 0;

	while (tenths >= KIB * 10 && unit + 1 < ARRAY_SIZE(units)) {
		tenths /= KIB;
		unit++;
	}
	decimal_put(page->out, unit ? (int64_t)tenths : (int64_t)bytes, unit ? 1 : 0);
	buf_printf(page->out, "&nbsp;%s", units[unit]);
}

/* "2026-08-22T10:11:12Z" as "2026-08-22 10:11 UTC". */
static void put_time(struct page *page, struct str stamp)
{
	enum { DATE = 10, TIME = 11, SECONDS = 16 };

	html(page->out, "<time");
	html_attribute(page->out, "datetime", stamp);
	html(page->out, ">");
	if (stamp.len > SECONDS) {
		html_text(page->out, str_sub(stamp, 0, DATE));
		html(page->out, " ");
		html_text(page->out, str_sub(stamp, TIME, SECONDS));
		html(page->out, "&nbsp;UTC");
	}
	html(page->out, "</time>");
}

static void put_record(struct page *page, const struct record *record)
{
	html(page->out, "<tr><td><a class=\"name\"");
	page_href(page, "/assessments/", record->id);
	html(page->out, ">");
	html_text(page->out, record->name);
	html(page->out, "</a></td><td><ul class=\"verdicts\">");
	for (size_t i = 0; i < record->verdict_count; i++) {
		html(page->out, "<li><span class=\"name\">");
		html_text(page->out, record->verdicts[i].target);
		html(page->out, "</span> ");
		html_tag(page->out, page->lang, "v-", "verdict", record->verdicts[i].verdict);
		html(page->out, "</li>");
	}
	html(page->out, "</ul></td><td class=\"n\">");
	put_bytes(page, record->input_bytes);
	html(page->out, "</td><td class=\"fixed\">");
	put_time(page, record->created_at);
	html(page->out, "</td></tr>\n");
}

static void put_older(struct page *page, const struct record_list *list)
{
	struct parameter next;
	char cursor[24];

	if (!list->more)
		return;
	snprintf(cursor, sizeof(cursor), "%llu", (unsigned long long)list->items[list->count - 1].number);
	next = (struct parameter){ STR("cursor"), str_from(cursor) };
	html(page->out, "<p><a rel=\"next\"");
	page_href_query(page, "/", &next, 1);
	html(page->out, ">");
	page_label(page, "page.older");
	html(page->out, "</a></p>\n");
}

static void put_list(struct page *page, const struct record_list *list)
{
	static const char *const heads[] = { "page.dump", "report.targets", "page.size", "page.when" };

	html(page->out, "<h2>");
	page_label(page, "page.recent");
	html(page->out, "</h2>\n");
	if (!list->count) {
		html(page->out, "<p class=\"soft\">");
		page_label(page, "page.none");
		html(page->out, "</p>\n");
		return;
	}
	html(page->out, "<div class=\"recent\">\n");
	page_table(page, heads, ARRAY_SIZE(heads));
	for (size_t i = 0; i < list->count; i++)
		put_record(page, &list->items[i]);
	html(page->out, "</tbody>\n</table></div></div>\n");
	put_older(page, list);
}

static void put_home(
	const struct opdb *db, const struct record_list *list, struct request *request, struct reply *reply)
{
	struct page page;

	page_reply(reply, request);
	page = page_begin(request, &reply->body, catalog_text(request->lang, STR("page.check")));
	page_title(&page, "page.title", "page.intro");
	put_form(&page, db);
	put_list(&page, list);
	page_end(&page);
}

int page_home(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct record_list list;
	struct opdb *db;
	uint64_t before;
	int status = answer_take_cursor(request, &before, err);

	if (!status)
		status = store_list(service->store, before, RECENT, &request->arena, &list, err);
	if (!status)
		status = answer_open_db(service, &db, err);
	if (status)
		return status;
	put_home(db, &list, request, reply);
	opdb_close(db);
	return 0;
}
