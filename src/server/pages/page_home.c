#include "server/pages/handlers.h"

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "io/gunzip.h"
#include "report/drawings/drawing.h"
#include "server/http/answer.h"
#include "server/http/cache.h"
#include "server/http/header.h"
#include "server/http/negotiate.h"
#include "server/pages/page_team.h"
#include "server/pages/page_trend.h"
#include "server/pages/page_upload.h"
#include "server/service/databases.h"

enum { RECENT = 20 };

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

static void put_list(struct page *page, const struct stored_list *list)
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
	for (size_t i = 0; i < list->count; i++) {
		const struct stored_assessment *record = &list->items[i];

		doc_row(doc);
		page_cell_link(page, page_address(page, "/assessments/", record->id), record->name);
		page_cell_verdicts(doc, record);
		put_bytes(doc, record->input_bytes);
		page_cell_time(page, record->created_at);
	}
	doc_table_end(doc);
	doc_close(doc);
	if (list->more)
		page_put_next(page, doc_format_of(doc, "%llu", (unsigned long long)list->items[list->count - 1].number),
			"page.older");
	doc_close(doc);
}

/* --- models */

static void put_model(struct page *page, const struct trend_query *model, const struct run_list *runs)
{
	struct doc *doc = &page->doc;

	doc_row(doc);
	doc_cell(doc);
	doc_link(doc, SPAN_NAME, model_address(page, model, NULL), model->model);
	if (model->branch.len) {
		doc_text(doc, STR(" "));
		doc_styled(doc, SPAN_SOFT, model->branch);
	}
	page_cell_verdicts(doc, &runs->items[0].record);
	doc_cell(doc);
	trend_spark(doc, runs);
	doc_cell_text(doc, trend_change(doc, runs));
}

static int put_models(const struct service *service, struct page *page, struct err *err)
{
	static const struct doc_column columns[] = {
		{ .label = "page.model" },
		{ .label = "report.targets" },
		{ .label = "page.trend" },
		{ .label = "trend.change", .number = true },
	};
	struct doc *doc = &page->doc;
	struct recent_models models;
	struct run_list runs;
	int status = store_recent_models(service->store, page->request->caller.project, &doc->arena, &models, err);

	if (status || !models.count)
		return status;
	doc_section(doc, "page.recent-models");
	doc_svg_patterns(doc);
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .name = "models" });
	for (size_t i = 0; i < models.count && !status; i++) {
		models.items[i].max = TREND_RUNS;
		status = store_list_trend(service->store, &models.items[i], &doc->arena, &runs, err);
		if (!status && runs.count)
			put_model(page, &models.items[i], &runs);
	}
	doc_table_end(doc);
	doc_close(doc);
	return status;
}

/* --- all of it */

static int make_home(const struct service *service, struct request *request, struct buf *out, struct err *err)
{
	struct stored_list list;
	struct opdb *db;
	struct page page;
	uint64_t before;
	int status = answer_take_cursor(request, &before, err);

	if (!status)
		status = store_list(service->store, &(struct list_page){ before, RECENT, request->caller.project },
			&request->arena, &list, err);
	if (!status)
		status = service_open_db(service, &db, err);
	if (status)
		return status;
	page = page_begin(request, out, catalog_text(request->lang, STR("page.check")));
	page_title(&page, "page.title", "page.intro");
	if (request->caller.scope >= SCOPE_SUBMIT) {
		page_put_upload(&page, db);
	} else {
		page_prose(&page, "page.read-only");
		page_html(&page, "<p><a href=\"/login{?lang}\">{page.login}</a></p>\n");
		page_figure(&page);
	}
	status = put_models(service, &page, err);
	put_list(&page, &list);
	page_end(&page);
	service_close_db(service, db);
	return status;
}

/* The page without a session, the same for all in a language; a page with a session's secret in its form is private.
   False: it is made for this request. */
static bool put_key(struct buf *key, const struct request *request, const struct reply *reply)
{
	if (request->caller.session.len || request->caller.project.len ||
		request->parameters.count > request->lang_given)
		return false;
	buf_printf(key, "home-%.*s%s-%d%s", STR_ARG(lang_name(request->lang)), request->lang_given ? "-given" : "",
		(int)request->caller.scope, reply->send_packed ? "-gzip" : "");
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

/* The page in memory, until something in it changes. */
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
	if (service->cache && service->databases && put_key(&key, request, reply))
		return answer_kept(service, request, reply, buf_str(&key), err);
	reply->send_packed = false;
	return make_home(service, request, &reply->body, err);
}
