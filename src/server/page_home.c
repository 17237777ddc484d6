/* The first page: handing in a dump, and the assessments that were made last. */
#include "base/decimal.h"
#include "base/hash.h"
#include "base/mem.h"
#include "io/gunzip.h"
#include "server/answer.h"
#include "server/cache.h"
#include "server/databases.h"
#include "server/handlers.h"
#include "server/negotiate.h"
#include "server/page_models.h"

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
	page_put_csrf(page);
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

static const struct line_input {
	const char *name, *example, *label, *about;
} line_inputs[] = {
	{ "torch", "2.7.1", "page.torch", "page.torch-about" },
	{ "dtype", "fp32,bf16", "page.dtype", "page.dtype-about" },
	{ "max_uncovered_time", "5%", "page.uncovered", "page.uncovered-about" },
};

static void put_line_input(struct buf *out, enum lang lang, const struct line_input *input)
{
	buf_printf(out,
		"<div><label for=\"%s\">%.*s</label>\n"
		"<input id=\"%s\" name=\"%s\" autocomplete=\"off\" placeholder=\"%s\" size=\"12\" "
		"aria-describedby=\"%s-about\">\n<p id=\"%s-about\" class=\"soft\">%.*s</p></div>\n",
		input->name, STR_ARG(catalog_text(lang, str_from(input->label))), input->name, input->name,
		input->example, input->name, input->name, STR_ARG(catalog_text(lang, str_from(input->about))));
}

static void put_line_inputs(struct page *page)
{
	html(page->out, "<div class=\"choices\">\n");
	for (size_t i = 0; i < ARRAY_SIZE(line_inputs); i++)
		put_line_input(page->out, page->lang, &line_inputs[i]);
	html(page->out, "</div>\n<p><label><input id=\"require_dtypes\" name=\"require_dtypes\" type=\"checkbox\" "
			"value=\"true\"> ");
	page_label(page, "page.require-dtypes");
	html(page->out, "</label></p>\n");
}

struct home_form {
	struct page *page;
	const struct opdb *db;
};

static void put_form(struct buf *out, enum lang lang, const void *ctx)
{
	struct page *page = ((const struct home_form *)ctx)->page;
	const struct opdb *db = ((const struct home_form *)ctx)->db;

	(void)out; /* that of the page */
	(void)lang;
	put_action(page);
	put_file(page);
	html(page->out, "<fieldset><legend>");
	page_label(page, "page.target");
	html(page->out, "</legend>\n<p id=\"target-about\" class=\"soft\">");
	page_label(page, "page.target-about");
	html(page->out, "</p>\n<div class=\"choices\">\n");
	for (unsigned target = 0; target < TARGET_COUNT; target++)
		put_target(page, db, (enum target_kind)target);
	html(page->out, "</div>\n");
	put_line_inputs(page);
	html(page->out, "</fieldset>\n<div id=\"problem\" class=\"problem\" role=\"alert\" hidden></div>\n"
			"<p class=\"send\"><button id=\"send\" type=\"submit\">");
	page_label(page, "page.send");
	html(page->out, "</button> <progress id=\"progress\" max=\"1\" hidden></progress> "
			"<output id=\"state\" class=\"soft\"></output></p>\n</form>\n");
}

/* --- the list */

static void put_bytes(struct doc *doc, uint64_t bytes)
{
	enum { KIB = 1024 };
	static const char *const units[] = { "B", "KiB", "MiB", "GiB" };
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);
	uint64_t tenths = bytes * 10;
	size_t unit = 0;

	while (tenths >= KIB * 10 && unit + 1 < ARRAY_SIZE(units)) {
		tenths /= KIB;
		unit++;
	}
	decimal_put(&text, unit ? (int64_t)tenths : (int64_t)bytes, unit ? 1 : 0);
	buf_printf(&text, "\xc2\xa0%s", units[unit]);
	doc_cell_text(doc, arena_keep(&doc->arena, buf_str(&text)));
}

static void put_record(struct page *page, const struct record *record)
{
	struct doc *doc = &page->doc;

	doc_row(doc);
	doc_cell(doc);
	doc_link(doc, SPAN_NAME, page_address(page, "/assessments/", record->id), record->name);
	doc_close(doc);
	page_cell_verdicts(doc, record);
	put_bytes(doc, record->input_bytes);
	page_cell_time(doc, record->created_at);
	doc_close(doc);
}

static void put_older(struct page *page, const struct record_list *list)
{
	struct parameter next;

	if (!list->more)
		return;
	next = (struct parameter){ STR("cursor"),
		doc_format_of(&page->doc, "%llu", (unsigned long long)list->items[list->count - 1].number) };
	doc_open(&page->doc, BLOCK_PARAGRAPH);
	doc_link(
		&page->doc, SPAN_NEXT, page_address_query(page, "/", &next, 1), doc_label_of(&page->doc, "page.older"));
	doc_close(&page->doc);
}

static void put_list(struct page *page, const struct record_list *list)
{
	static const struct doc_column columns[] = {
		{ .label = "page.dump" },
		{ .label = "report.targets" },
		{ .label = "page.size", .number = true },
		{ .label = "page.when", .css = "fixed" },
	};
	struct doc *doc = &page->doc;

	doc_section(doc, "page.recent");
	if (!list->count) {
		doc_say_label(doc, BLOCK_SOFT, "page.none");
		doc_close(doc);
		return;
	}
	doc_open(doc, BLOCK_RECENT);
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < list->count; i++)
		put_record(page, &list->items[i]);
	doc_close(doc);
	doc_close(doc);
	put_older(page, list);
	doc_close(doc);
}

static void put_home(const struct opdb *db, const struct record_list *list, struct request *request, struct buf *out)
{
	struct page page = page_begin(request, out, catalog_text(request->lang, STR("page.check")));

	page_title(&page, "page.title", "page.intro");
	doc_figure(&page.doc, put_form, &(struct home_form){ &page, db });
	put_list(&page, list);
	page_end(&page);
}

static int make_home(const struct service *service, struct request *request, struct buf *out, struct err *err)
{
	struct record_list list;
	struct opdb *db;
	uint64_t before;
	int status = answer_take_cursor(request, &before, err);

	if (!status)
		status = store_list(service->store, &(struct list_page){ before, RECENT, request->caller.project },
			&request->arena, &list, err);
	if (!status)
		status = answer_open_db(service, &db, err);
	if (status)
		return status;
	put_home(db, &list, request, out);
	answer_close_db(service, db);
	return 0;
}

/* What anybody sees who asks for the newest in a language; a page with the secret of a session in its form is nobody
   else's. False: it is made for this request. */
static bool put_key(struct buf *key, const struct request *request, const struct reply *reply)
{
	if (request->caller.session.len || request->caller.project.len ||
		request->parameters.count > request->lang_given)
		return false;
	buf_printf(key, "home-%.*s%s%s", STR_ARG(lang_name(request->lang)), request->lang_given ? "-given" : "",
		reply->send_packed ? "-gzip" : "");
	return true;
}

static int keep_home(
	const struct service *service, struct reply *reply, struct str key, uint64_t version, struct err *err)
{
	CLEANUP(buf_clear) struct buf packed = BUF_UNLIMITED;

	if (reply->send_packed && !gzip_pack(buf_str(&reply->body), &packed))
		return err_set(err, ERR_INTERNAL, "cannot compress a page");
	reply_cached(
		reply, cache_add(service->cache, key, version, buf_str(reply->send_packed ? &packed : &reply->body)));
	return 0;
}

/* The page in memory, as long as nothing in it has changed. */
static int answer_kept(
	const struct service *service, struct request *request, struct reply *reply, struct str key, struct err *err)
{
	uint64_t version = hash_mix(store_changes(service->store) + 1, databases_version(service->databases) | 1);
	struct cached *cached = cache_find(service->cache, key);
	int status;

	if (cached && atomic_load(&cached->version) == version) {
		reply_cached(reply, cached);
		return 0;
	}
	cached_release(cached);
	status = make_home(service, request, &reply->body, err);
	return status ? status : keep_home(service, reply, key, version, err);
}

int page_home(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf key = BUF_UNLIMITED;

	page_reply(reply, request);
	reply_header(reply, "Vary", STR("Accept, Accept-Encoding, Accept-Language"));
	reply->send_packed = negotiate_gzip(request->headers[HEADER_ACCEPT_ENCODING]);
	if (service->cache && put_key(&key, request, reply))
		return answer_kept(service, request, reply, buf_str(&key), err);
	reply->send_packed = false;
	return make_home(service, request, &reply->body, err);
}
