#include "server/api/reports.h"

#include <pthread.h>

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "opdb/db/lists.h"
#include "report/doc/html_page.h"
#include "report/render.h"
#include "server/api/handlers.h"
#include "server/api/named.h"
#include "server/api/part.h"
#include "server/http/answer.h"
#include "server/http/cache.h"
#include "server/http/header.h"
#include "server/http/negotiate.h"
#include "server/http/route.h"
#include "server/http/unpacking.h"
#include "server/jobs/job.h"
#include "server/service/databases.h"

#define PACKED "-gzip" /* behind the name of a body that is packed */

/* The order in which formats are offered to a client that takes any. */
static const char *const offered[] = { "json", "html", "text", "csv", "md" };

static int by_accept(const struct request *request, const struct renderer **ret, struct err *err)
{
	const char *types[ARRAY_SIZE(offered)];
	size_t chosen;

	for (size_t i = 0; i < ARRAY_SIZE(offered); i++)
		types[i] = renderer_find(str_from(offered[i]))->media_type;
	chosen = negotiate_type(request->headers[HEADER_ACCEPT], types, ARRAY_SIZE(types));
	if (chosen < ARRAY_SIZE(offered)) {
		*ret = renderer_find(str_from(offered[chosen]));
		return 0;
	}
	err_set(err, ERR_ACCEPT, "the report has no form that the Accept header takes");
	return err_hint(err, "there are application/json, text/html, text/plain, text/csv and text/markdown");
}

/* Returns whether a format differs by language: JSON and CSV are for programs, what systems for CI show is for
   people. */
static bool is_translated(const struct renderer *format)
{
	struct str type = str_from(format->media_type);

	return format->of_findings || (str_starts(type, STR("text/")) && !str_starts(type, STR("text/csv")));
}

/* Advice is by the facts of today, which its job compares with its own. */
static int add_facts(
	const struct service *service, struct request *request, struct str *name, struct str *ret, struct err *err)
{
	struct opdb *db;
	int status = service_open_db(service, &db, err);

	if (status)
		return status;
	*ret = arena_keep(&request->arena, opdb_info(db)->digest);
	*name = arena_printf(&request->arena, "%.*s-%.*s", STR_ARG(*name), STR_ARG(*ret));
	service_close_db(service, db);
	return 0;
}

/* Find the body as it is sent, else the packed one that it is made from; NULL: neither is in memory. */
static struct cached *find_body(const struct service *service, const struct buf *tag, const struct reply *reply)
{
	CLEANUP(buf_clear) struct buf packed = BUF_UNLIMITED;
	struct cached *cached = cache_find(service->cache, buf_str(tag));

	if (cached || reply->send_packed)
		return cached;
	buf_add(&packed, buf_str(tag));
	buf_add(&packed, STR(PACKED));
	return cache_find(service->cache, buf_str(&packed));
}

/* Returns whether the plain text of a packed body is kept: a small one, or one that is asked for again. */
static bool is_kept_plain(const struct service *service, const struct cached *packed, bool again)
{
	enum { SMALL_BYTES = 1024 * 1024 };

	return packed->plain_bytes <= SMALL_BYTES || (again && cache_takes(service->cache, packed->plain_bytes));
}

/* Takes the hold of a body; packed text is unpacked while it is sent, unless it is worth a file. */
static void put_body(
	const struct service *service, struct reply *reply, const struct buf *tag, struct cached *cached, bool again)
{
	struct cached *plain = NULL;

	if (cached->plain_bytes && !reply->send_packed && is_kept_plain(service, cached, again))
		plain = unpacking_keep(service->cache, buf_str(tag), cached);
	reply_cached(reply, plain ? plain : cached);
	if (plain)
		cached_release(cached);
}

/* A body in memory is checked. */
static void put_document(const struct service *service, struct reply *reply, const struct stored_document *document,
	const struct buf *tag, uint64_t version)
{
	CLEANUP(buf_clear) struct buf packed = BUF_UNLIMITED;

	buf_add(&packed, buf_str(tag));
	if (!reply->send_packed)
		buf_add(&packed, STR(PACKED));
	put_body(service, reply, tag,
		cache_add_packed(service->cache, buf_str(&packed), version, document->packed, document->bytes), false);
}

/* Check that the assessment exists: 0, or an error. A cached answer needs no look-up until the store changes. */
static int look_up(const struct service *service, struct request *request, struct cached *cached, uint64_t version,
	struct err *err)
{
	struct stored_assessment record;
	int status;

	if (cached && atomic_load(&cached->version) == version && !request->caller.project.len)
		return 0;
	status = answer_find(service, request, &record, err);
	if (!status && cached)
		atomic_store(&cached->version, version);
	return status;
}

/* A form: where it is made, its tag, and the version of the store at that time. */
struct form {
	struct str form, facts;
	struct stored_document document;
	const struct buf *tag;
	uint64_t version;
};

/* From the store, or by a job that this request waits for. */
static int fetch_form(
	const struct service *service, struct request *request, struct reply *reply, struct form *form, struct err *err)
{
	const struct job *job = request->job;
	struct stored_document *document = &form->document;
	int status = 1;

	if (job)
		*document = (job->leader ? job->leader : job)->document;
	else
		status = store_document(service->store, document, &request->arena, err);
	if (status == 1)
		put_document(service, reply, document, form->tag, form->version);
	if (status)
		return status < 0 ? status : 0;
	return part_render(service, request,
		&(struct part){ document->id, form->form, route_answer, .facts = form->facts }, document->form, err);
}

/* Bodies are read and unpacked by workers. */
static int put_form(
	const struct service *service, struct request *request, struct reply *reply, struct form *form, struct err *err)
{
	struct cached *cached = find_body(service, form->tag, reply);
	bool whole = request->captured.len == SHA256_HEX_BYTES - 1;
	int status = look_up(service, request, cached, form->version, err);

	if (!status && !reply_is_unchanged(
			       reply, request, form->tag, whole && !form->facts.len ? CACHE_FOREVER : CACHE_CHECK)) {
		bool at_once = cached &&
			       (reply->send_packed || !cached->plain_bytes || !is_kept_plain(service, cached, true));

		if (!at_once && !request->beside)
			status = ANSWER_BESIDE;
		else if (!cached)
			return fetch_form(service, request, reply, form, err);
		else {
			put_body(service, reply, form->tag, cached, true);
			return 0;
		}
	}
	cached_release(cached);
	return status;
}

int report_put_form(
	const struct service *service, struct request *request, struct reply *reply, struct str name, struct err *err)
{
	CLEANUP(buf_clear) struct buf tag = BUF_UNLIMITED;
	bool translated = str_eq(name, STR("page")) || is_translated(renderer_find(str_tail(name, '.')));
	struct form form = { .form = name, .facts = STR(""), .tag = &tag, .version = store_changes(service->store) };
	bool whole = request->captured.len == SHA256_HEX_BYTES - 1;
	struct stored_assessment record;
	int status = whole ? 0 : answer_find(service, request, &record, err);

	form.document.form = part_name(request, name, translated);
	if (!status && str_has(name, STR("."))) /* of the dump itself */
		status = add_facts(service, request, &form.document.form, &form.facts, err);
	if (status)
		return status;
	form.document.id = request->capture;
	if (translated)
		reply_language(reply, request);
	reply_header(reply, "Vary",
		translated ? STR("Accept, Accept-Encoding, Accept-Language") : STR("Accept, Accept-Encoding"));
	reply->send_packed = negotiate_gzip(request->headers[HEADER_ACCEPT_ENCODING]);
	buf_printf(&tag, "%.*s-%.*s%s", STR_ARG(request->capture), STR_ARG(form.document.form),
		reply->send_packed ? PACKED : "");
	return put_form(service, request, reply, &form, err);
}

static struct buf own_policy = BUF_UNLIMITED;

static void make_policy(void)
{
	html_put_policy(&own_policy);
	buf_add(&own_policy, STR("; frame-ancestors 'none'"));
}

/* An HTML file brings its own style and script: what its own policy allows, and not to be framed. */
static void start_report(struct reply *reply, const struct renderer *format)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	reply_start(reply, STATUS_OK, format->media_type);
	if (strcmp(format->name, "html") != 0)
		return;
	pthread_once(&once, make_policy);
	reply_header(reply, "Content-Security-Policy", buf_str(&own_policy));
}

int answer_report(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	const struct renderer *format = renderer_of_path(request->path);
	int status = format ? 0 : by_accept(request, &format, err);

	if (status)
		return status;
	start_report(reply, format);
	return report_put_form(service, request, reply, str_from(format->name), err);
}

/* "/api/v1/assessments/ID/advice", or buckets */
int answer_beside(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf form = BUF_UNLIMITED;
	const struct renderer *format;
	int status = by_accept(request, &format, err);

	if (status)
		return status;
	start_report(reply, format);
	buf_printf(&form, "%s.%s", str_ends(request->path, STR("/advice")) ? "advice" : "buckets", format->name);
	return report_put_form(service, request, reply, buf_str(&form), err);
}

/* "/api/v1/assessments/ID/all_ops.txt", or dynamic_ops.txt: a list of the porting guide. */
int answer_list(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	bool dynamic = str_ends(request->path, STR("/dynamic_ops.txt"));
	struct stored_assessment record;
	int status = answer_find(service, request, &record, err);

	reply_start(reply, STATUS_OK, "text/plain; charset=utf-8");
	reply_header(reply, "Cache-Control", STR(CACHE_CHECK));
	return status ? status
		      : part_take(service, request,
				&(struct part){ record.id, dynamic ? STR("dynamic_ops.txt") : STR("all_ops.txt"),
					answer_list, true },
				&reply->body, err);
}
