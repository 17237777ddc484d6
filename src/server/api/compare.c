#include "server/api/compare.h"

#include "base/memory/mem.h"
#include "check/check.h"
#include "io/inflate.h"
#include "assess/compare/changes_gate.h"
#include "server/api/handlers.h"
#include "server/http/answer.h"
#include "server/jobs/job.h"

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

int compare_prepare(const struct service *service, struct request *request, const struct comparison *comparison,
	HANDLER((*answer)), struct err *err)
{
	struct comparison asked = *comparison;
	int status;

	asked.project = request->caller.project;
	asked.lang = request->lang;
	asked.fail_on = request_value(request, "fail_on");
	request->job = job_new(JOB_COMPARE);
	request->resume = answer;
	status = comparison_start(service, &asked, request->job, err);
	if (status < 0)
		return status;
	return status ? 0 : ANSWER_LATER;
}

int compare_prepare_named(const struct service *service, struct request *request, const char *form,
	int (*answer)(const struct service *, struct request *, struct reply *, struct err *), struct err *err)
{
	struct comparison comparison = {
		.before = request_value(request, "a"), .after = request_value(request, "b"), .form = str_from(form)
	};

	return compare_prepare(service, request, &comparison, answer, err);
}

int compare_take(const struct request *request, struct buf *out, struct err *err)
{
	const struct job *job = request->job;

	if (gzip_unpack((job->leader ? job->leader : job)->document.packed, out))
		return 0;
	return err_set(err, ERR_JOB, "the worker exited without a result");
}

static int answer_compared(
	const struct service *service UNUSED, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf tag = BUF_UNLIMITED;

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
	status = compare_prepare_named(service, request, "json", answer_compared, err);
	return status ? status : answer_compared(service, request, reply, err);
}
