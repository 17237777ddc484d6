#include "server/api/reports.h"

#include <pthread.h>

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "io/inflate.h"
#include "opdb/db/lists.h"
#include "report/doc/html_page.h"
#include "report/render.h"
#include "server/api/named.h"
#include "server/api/part.h"
#include "server/http/answer.h"
#include "server/http/cache.h"
#include "server/http/header.h"
#include "server/http/negotiate.h"
#include "server/jobs/job.h"
#include "server/service/databases.h"

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

static int choose_renderer(const struct request *request, const struct renderer **ret, struct err *err)
{
	*ret = renderer_of_path(request->path);
	return *ret ? 0 : by_accept(request, ret, err);
}

/* Returns whether a format differs by language: JSON and CSV are for programs, what systems for CI show is for
   people. */
static bool is_translated(const struct renderer *format)
{
	struct str type = str_from(format->media_type);

	return format->of_findings || (str_starts(type, STR("text/")) && !str_starts(type, STR("text/csv")));
}

/* "md" of the forms "md" and "advice.md". */
static const struct renderer *format_of(struct str form)
{
	struct str kind = form;

	if (str_has(form, STR(".")))
		str_cut(&form, '.', &kind);
	return renderer_find(form);
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

/* A representation of an assessment: its tag, and the name of its body in memory. */
static void put_tag(struct buf *tag, const struct request *request, const struct reply *reply, struct str name)
{
	buf_add(tag, request->capture);
	buf_byte(tag, '-');
	buf_add(tag, name);
	buf_add(tag, reply->send_packed ? STR("-gzip") : STR(""));
}

static int answer_rendered(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	const struct job *job = request->job->leader ? request->job->leader : request->job;

	(void)service;
	(void)err;
	reply_document(reply, &job->document);
	return 0;
}

/* A body in memory is checked and, for who wants that, unpacked. */
static int put_document(const struct service *service, struct reply *reply, const struct stored_document *document,
	const struct buf *tag, uint64_t version)
{
	CLEANUP(buf_clear) struct buf plain = BUF_UNLIMITED;

	if (!cache_takes(service->cache, reply->send_packed ? document->packed.len : document->bytes) ||
		(!reply->send_packed && !gzip_unpack(document->packed, &plain)))
		reply_document(reply, document);
	else
		reply_cached(reply, cache_add(service->cache, buf_str(tag), version,
					    reply->send_packed ? document->packed : buf_str(&plain)));
	return 0;
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

int report_put_form(
	const struct service *service, struct request *request, struct reply *reply, struct str form, struct err *err)
{
	CLEANUP(buf_clear) struct buf tag = BUF_UNLIMITED;
	bool of_dump = str_has(form, STR(".")),
	     translated = str_eq(form, STR("page")) || is_translated(format_of(form));
	struct stored_document document = { .form = part_name(request, form, translated) };
	uint64_t version = store_changes(service->store);
	struct cached *cached;
	bool whole = request->capture.len == SHA256_HEX_BYTES - 1;
	struct stored_assessment record;
	struct str facts = STR("");
	int status = whole ? 0 : answer_find(service, request, &record, err);

	if (!status && of_dump)
		status = add_facts(service, request, &document.form, &facts, err);
	if (status)
		return status;
	document.id = request->capture;
	if (translated)
		reply_language(reply, request);
	reply_header(reply, "Vary",
		translated ? STR("Accept, Accept-Encoding, Accept-Language") : STR("Accept, Accept-Encoding"));
	reply->send_packed = negotiate_gzip(request->headers[HEADER_ACCEPT_ENCODING]);
	put_tag(&tag, request, reply, document.form);
	cached = cache_find(service->cache, buf_str(&tag));
	status = look_up(service, request, cached, version, err);
	if (!status && !reply_is_unchanged(reply, request, &tag, whole && !of_dump ? CACHE_FOREVER : CACHE_CHECK)) {
		if (cached) {
			reply_cached(reply, cached);
			return 0;
		}
		status = store_document(service->store, &document, &request->arena, err);
		if (status == 1)
			status = put_document(service, reply, &document, &tag, version);
		else if (status == 0)
			status = (of_dump ? part_reread : part_render)(service, request,
				&(struct part){ document.id, form, answer_rendered, .facts = facts }, document.form,
				err);
	}
	cached_release(cached);
	return status;
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
	const struct renderer *format = NULL;
	int status = choose_renderer(request, &format, err);

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
