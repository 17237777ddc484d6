#include "server/api/compare.h"

#include "base/memory/mem.h"
#include "check/check.h"
#include "io/inflate.h"
#include "assess/compare/changes_gate.h"
#include "server/api/handlers.h"
#include "server/http/answer.h"
#include "server/jobs/job.h"
#include "server/service/find.h"

int compare_check(const struct request *request, unsigned *ret_fail_on, struct err *err)
{
	struct str words = request_value(request, "fail_on");

	*ret_fail_on = 0;
	if (request_value(request, "a").len && request_value(request, "b").len)
		return words.len ? change_words_parse(ret_fail_on, words, err) : 0;
	err_set(err, ERR_ARGUMENT, "two assessments are needed");
	return err_hint(err, "name them with ?a=ID&b=ID");
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

/* Start the reply: 1 when the client has it, 0, or an error. The beginning of an id may be that of another later. */
static int start_compared(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	static const char *const names[] = { "a", "b" };
	CLEANUP(buf_clear) struct buf tag = BUF_UNLIMITED;
	bool whole = true;
	unsigned fail_on;
	int status = compare_check(request, &fail_on, err);

	for (size_t i = 0; i < ARRAY_SIZE(names) && !status; i++) {
		struct id_like named = { .begin = request_value(request, names[i]),
			.project = request->caller.project };
		struct stored_assessment record;

		status = find_assessment(service, &named, &request->arena, &record, err);
		if (status)
			return status;
		buf_printf(&tag, "%.*s-", STR_ARG(record.id));
		whole &= record.id.len == named.begin.len;
	}
	buf_printf(&tag, "%x-%s", fail_on, check_version());
	if (status)
		return status;
	reply_start(reply, STATUS_OK, MEDIA_JSON);
	return reply_is_unchanged(reply, request, &tag, whole ? CACHE_FOREVER : CACHE_CHECK);
}

static int answer_compared(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	int status = start_compared(service, request, reply, err);

	return status < 0 ? status : compare_take(request, &reply->body, err);
}

int answer_compare(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	int status = start_compared(service, request, reply, err);

	if (status)
		return status < 0 ? status : 0;
	status = compare_prepare_named(service, request, "json", answer_compared, err);
	return status ? status : compare_take(request, &reply->body, err);
}
