#include <stdio.h>

#include "base/setup/clock.h"
#include "base/value/sha256.h"
#include "server/api/handlers.h"
#include "server/api/named.h"
#include "server/api/repeat.h"
#include "server/api/tickets.h"
#include "server/http/answer.h"
#include "server/jobs/queue.h"
#include "server/service/find.h"
#include "server/service/rejudge.h"
#include "server/service/run_json.h"
#include "server/service/submit.h"
#include "store/keep.h"

extern const char example_log[]; /* tests/fixtures/torch-2.13/resnet50.a.log */

/* --- submitting */

/* A browser that sent the form goes on to the page; from a run's page to that of the new run. */
static void redirect(struct request *request, struct reply *reply, const struct job *job)
{
	struct str lang = request->lang_given ? lang_name(request->lang) : STR("");
	bool run = job->run.id.len && str_starts(request->path, STR("/runs/"));

	reply_start(reply, STATUS_SEE_OTHER, NULL);
	reply_header(reply, "Location",
		arena_printf(&request->arena, "/%s/%.*s%s%.*s", run ? "runs" : "assessments",
			STR_ARG(run ? job->run.id : job->record.id), lang.len ? "?lang=" : "", STR_ARG(lang)));
}

static int answer_submitted(
	const struct service *service UNUSED, struct request *request, struct reply *reply, struct err *err UNUSED)
{
	const struct job *job = request->job;
	struct jsonw json;

	if (request_wants_html(request, false)) {
		redirect(request, reply, job);
		return 0;
	}
	answer_json(reply, job->is_new ? STATUS_CREATED : STATUS_OK);
	reply_header(
		reply, "Location", arena_printf(&request->arena, "/api/v1/assessments/%.*s", STR_ARG(job->record.id)));
	json = jsonw_start(&reply->body, 1);
	record_put(&json, &assessment_record,
		&(struct assessment_view){ job->record, job->run.id.len ? &job->run : NULL });
	return 0;
}

/* As the request with the same key was; 0 when that is there no more. */
static int answer_repeated(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct job *job = request->job;
	int status;

	if (request->key.status == STATUS_ACCEPTED) {
		snprintf(job->ticket, sizeof(job->ticket), "%.*s", STR_ARG(request->key.answer));
		return answer_accepted(service, request, reply, err);
	}
	if (request->key.answer.len > RUN_ID_BYTES) { /* of an assessment: the facts were the same, no run was added */
		struct id_like like = { request->key.answer, request->caller.project, 1 };

		status = store_find_like(service->store, &like, &job->arena, &job->record, err);
		if (!status)
			return no_such(err, "assessment");
		return status < 0 ? status : answer_submitted(service, request, reply, err);
	}
	request->capture = request->key.answer;
	status = answer_find_run(service, request, &job->run, err);
	if (status)
		return status;
	job->record = job->run.record;
	job->is_new = request->key.status == STATUS_CREATED;
	return answer_submitted(service, request, reply, err);
}

/* Submits what *submit holds; the client waits as long as it prefers. */
static int answer_of_submit(const struct service *service, struct request *request, struct submit *submit,
	struct reply *reply, struct err *err)
{
	struct job *job = request->job = job_new(JOB_CHECK);
	int64_t wait_seconds;
	int status = request_wait(request, &wait_seconds, err);

	submit->upload = request->upload;
	submit->project = request->caller.project;
	submit->ticket = str_from(request->id);
	if (!status)
		status = submit_resolve(service, submit, job, err);
	if (!status)
		status = repeat_begin(service, request, err);
	if (status)
		return status < 0 ? status : answer_repeated(service, request, reply, err);
	job->key = (struct request_key){ .owner = arena_keep(&job->arena, request->key.owner),
		.key = arena_keep(&job->arena, request->key.key),
		.holder = request->key.holder };
	status = submit_start(service, submit, job, err);
	request->upload = submit->upload;
	if (status)
		return status < 0 ? status : answer_submitted(service, request, reply, err);
	if (wait_seconds >= 0)
		job->answer_by_ms = clock_ms() + wait_seconds * 1000;
	job->ticket_first = wait_seconds == 0;
	request->resume = answer_submitted;
	return ANSWER_LATER;
}

static int take_form(struct request *request, struct submission *ret, struct err *err)
{
	int status = submission_of_form(&request->parameters, request->file_name, &request->arena, ret, err);

	return status ? status : answer_take_project(request, &ret->project, err);
}

int answer_submit(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct submit submit = { 0 };
	int status;

	if (!request->upload) {
		err_set(err, ERR_ARGUMENT, "the form has no file");
		return err_hint(err, "send the dump as the body, or as the field 'file' of a form");
	}
	status = take_form(request, &submit.submission, err);
	return status ? status : answer_of_submit(service, request, &submit, reply, err);
}

/* The dump that comes with the service, as if it had been sent. */
int answer_example(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	int status = store_has_room(service->store, service->limits->free_bytes, err);

	if (!status)
		status = upload_begin(service->store, service->limits->upload_bytes, &request->upload, err);
	if (!status)
		status = upload_add(request->upload, str_from(example_log), err);
	if (status)
		return status;
	upload_end(request->upload);
	request->file_name = STR("resnet50-example.log");
	return answer_submit(service, request, reply, err);
}

int answer_rejudge(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct str types = request_value(request, "dtype");
	struct submit submit = { 0 };
	struct run run;
	int status;

	if (request->upload && upload_bytes(request->upload))
		return err_set(err, ERR_ARGUMENT, "judging again takes no dump: the service has it");
	status = answer_find_run(service, request, &run, err);
	if (!status)
		status = rejudge_submit(service, &run, &request->arena, &submit, err);
	if (!status && types.len)
		submission_state_types(&submit.submission, types, &request->arena);
	if (status)
		return status;
	upload_free(request->upload);
	request->upload = submit.upload;
	return answer_of_submit(service, request, &submit, reply, err);
}

/* --- what becomes of it */

int answer_keep(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	bool keep;

	if (parameters_switch(&request->parameters, "kept", &keep, err) != 1)
		return err->code ? -err->code : err_set(err, ERR_VALUE, "kept is missing: true or false");
	return answer_changed(store_set_kept(service->store,
				      &(struct id_like){ request->capture, request->caller.project }, keep, err),
		"assessment", reply, err);
}

int answer_remove(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	return answer_changed(
		store_remove(service->store, &(struct id_like){ request->capture, request->caller.project }, err),
		"assessment", reply, err);
}

/* --- reading */

/* The address of its page that people pass on, with as few letters as no other id begins with. */
static int put_short_link(
	const struct service *service, struct request *request, struct reply *reply, struct str id, struct err *err)
{
	size_t letters;
	int status = store_shortest(service->store, id, &letters, err);

	if (!status)
		reply_header(reply, "Link",
			arena_printf(&request->arena, "</assessments/%.*s>; rel=\"shortlink\"", (int)letters, id.ptr));
	return status;
}

int answer_assessment(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct stored_assessment record;
	struct jsonw json;
	CLEANUP(buf_clear) struct buf tag = BUF_UNLIMITED;
	bool whole = request->capture.len == SHA256_HEX_BYTES - 1;
	int status = answer_find(service, request, &record, err);

	if (status)
		return status;
	answer_json(reply, STATUS_OK);
	status = put_short_link(service, request, reply, record.id, err);
	if (status)
		return status;
	buf_add(&tag, record.id);
	json = jsonw_start(&reply->body, 1);
	if (!reply_is_unchanged(reply, request, &tag, whole ? CACHE_FOREVER : CACHE_CHECK))
		record_put(&json, &assessment_record, &(struct assessment_view){ .record = record });
	return 0;
}

int answer_assessments(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct stored_list list;
	struct jsonw json;
	uint64_t before;
	size_t limit;
	int status = request_limit(request, &limit, err);

	if (!status)
		status = answer_take_cursor(request, &before, err);
	if (!status)
		status = store_list(service->store, &(struct list_page){ before, limit, request->caller.project },
			&request->arena, &list, err);
	if (status)
		return status;
	json = answer_begin_list(reply);
	for (size_t i = 0; i < list.count; i++)
		record_put(&json, &assessment_record, &(struct assessment_view){ .record = list.items[i] });
	answer_end_numbered_list(
		&json, reply, request, list.more ? list.items[list.count - 1].number : 0, (int64_t)list.total);
	return 0;
}
