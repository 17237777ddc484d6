#include "server/api/compare.h"

#include "base/memory/mem.h"
#include "check/check.h"
#include "io/inflate.h"
#include "report/answers/changes.h"
#include "report/answers/changes_json.h"
#include "report/doc/doc_build.h"
#include "report/doc/doc_put.h"
#include "server/api/asked.h"
#include "server/api/named.h"
#include "server/http/answer.h"
#include "server/jobs/job.h"
#include "server/service/find.h"

enum { LEAST_SHARE_PPM = 10000 };

int compare_put(const struct request *request, struct compared compared, struct buf *out, struct err *err)
{
	struct render_options options = { .lang = request->lang };
	struct str words = request_value(request, "fail_on");
	struct changes_view view = { 0 };
	struct changes *changes;
	int status = words.len ? change_words_parse(&view.fail_on, words, err) : 0;

	if (status)
		return status;
	changes = changes_find(compared.before, compared.after, LEAST_SHARE_PPM);
	view.changes = changes;
	if (str_eq(compared.form, STR("json"))) {
		changes_put_json(&view, &options, out);
	} else {
		struct doc doc = doc_new(DOC_HTML, &options);

		changes_build(&doc, &view);
		doc_put(&doc, out);
	}
	changes_free(changes);
	return 0;
}

static int give_report(
	const struct service *service, struct request *request, size_t place, struct str begin, struct err *err)
{
	struct stored_document document = { .form = STR("json") };
	struct job *job = request->job;
	struct stored_assessment record;
	int status = answer_resolve(service, request, begin, &record, err);

	if (status)
		return status;
	document.id = record.id;
	status = store_document(service->store, &document, &job->arena, err);
	if (status == 0)
		return no_such(err, "assessment");
	return status < 0 ? status : job_give(job, place, document.packed, err);
}

int compare_tag(const struct request *request, struct buf *tag, struct err *err)
{
	struct str before = request_value(request, "a"), after = request_value(request, "b");
	struct str words = request_value(request, "fail_on");
	unsigned fail_on = 0;

	if (!before.len || !after.len) {
		err_set(err, ERR_ARGUMENT, "two assessments are needed");
		return err_hint(err, "name them with ?a=ID&b=ID");
	}
	if (words.len && change_words_parse(&fail_on, words, err))
		return -err->code;
	buf_printf(tag, "%.*s-%.*s-%x-%s", STR_ARG(before), STR_ARG(after), fail_on, check_version());
	return 0;
}

int compare_prepare(
	const struct service *service, struct request *request, const struct comparison *comparison, struct err *err)
{
	struct job *job = request->job = job_new(JOB_COMPARE);
	int status = give_report(service, request, JOB_INPUT, comparison->before, err);

	job->form = comparison->form;
	request->resume = comparison->answer;
	if (!status)
		status = give_report(service, request, JOB_OTHER, comparison->after, err);
	if (!status)
		status = job_ask(job, service->store, request, err);
	return status ? status : ANSWER_LATER;
}

int compare_prepare_named(const struct service *service, struct request *request, const char *form,
	int (*answer)(const struct service *, struct request *, struct reply *, struct err *), struct err *err)
{
	return compare_prepare(service, request,
		&(struct comparison){
			request_value(request, "a"), request_value(request, "b"), str_from(form), answer },
		err);
}

int compare_take(const struct request *request, struct buf *out, struct err *err)
{
	if (gzip_unpack(request->job->document.packed, out))
		return 0;
	return err_set(err, ERR_JOB, "the process that did the work wrote no outcome");
}

static int answer_compared(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf tag = BUF_UNLIMITED;

	(void)service;
	reply_start(reply, STATUS_OK, MEDIA_JSON);
	compare_tag(request, &tag, err);
	reply_is_unchanged(reply, request, &tag, CACHE_FOREVER);
	return compare_take(request, &reply->body, err);
}

int answer_compare(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf tag = BUF_UNLIMITED;
	int status = compare_tag(request, &tag, err);

	if (status)
		return status;
	reply_start(reply, STATUS_OK, MEDIA_JSON);
	if (reply_is_unchanged(reply, request, &tag, CACHE_FOREVER))
		return 0;
	return compare_prepare_named(service, request, "json", answer_compared, err);
}
