/* The report of an assessment in every format. */
#include "assess/model/result.h"
#include "base/mem.h"
#include "check/check.h"
#include "report/html.h"
#include "report/load.h"
#include "report/render.h"
#include "server/answer.h"
#include "server/handlers.h"
#include "server/negotiate.h"

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

static int choose(const struct request *request, const struct renderer **ret, struct err *err)
{
	*ret = renderer_of_path(request->path);
	return *ret ? 0 : by_accept(request, ret, err);
}

/* Whether the text of a format differs by language. */
static bool is_translated(const struct renderer *format)
{
	return str_starts(str_from(format->media_type), STR("text/")) &&
	       !str_starts(str_from(format->media_type), STR("text/csv"));
}

static void put_tag(struct buf *tag, const struct request *request, const struct renderer *format)
{
	buf_printf(tag, "%.*s-%s", STR_ARG(request->capture), format->name);
	if (is_translated(format))
		buf_printf(tag, "-%.*s", STR_ARG(lang_name(request->lang)));
	/* another version may render the same report otherwise */
	buf_printf(tag, "-%s", check_version());
}

static int render_stored(
	struct str json, const struct renderer *format, enum lang lang, struct buf *out, struct err *err)
{
	struct render_options options = { .lang = lang };
	struct result *result;
	int status = report_load(json, &result, err);

	if (status)
		return status;
	render_report(format, result, &options, out);
	result_free(result);
	return 0;
}

static int put_report(const struct service *service, const struct request *request, const struct renderer *format,
	struct buf *out, struct err *err)
{
	CLEANUP(buf_clear) struct buf json = BUF_UNLIMITED;
	bool as_stored = strcmp(format->name, "json") == 0;
	int status = store_report(service->store, request->capture, as_stored ? out : &json, err);

	if (status == 0)
		return answer_missing(err, "assessment");
	if (status < 0)
		return status;
	return as_stored ? 0 : render_stored(buf_str(&json), format, request->lang, out, err);
}

/* The file brings its own style and script: what its own policy allows, and not to be framed. */
static void allow_own_parts(struct request *request, struct reply *reply)
{
	struct buf policy = BUF_UNLIMITED;

	html_put_policy(&policy);
	buf_add(&policy, STR("; frame-ancestors 'none'"));
	reply_header_copy(reply, request, "Content-Security-Policy", &policy);
	buf_clear(&policy);
}

int answer_report(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf tag = BUF_UNLIMITED;
	const struct renderer *format = NULL;
	struct record record;
	int status = choose(request, &format, err);

	if (!status)
		status = answer_find(service, request, &record, err);
	if (status)
		return status;
	reply_start(reply, STATUS_OK, format->media_type);
	if (is_translated(format))
		reply_language(reply, request);
	else
		reply_header(reply, "Vary", STR("Accept"));
	put_tag(&tag, request, format);
	if (reply_is_unchanged(reply, request, &tag, CACHE_FOREVER))
		return 0;
	if (strcmp(format->name, "html") == 0)
		allow_own_parts(request, reply);
	return put_report(service, request, format, &reply->body, err);
}
