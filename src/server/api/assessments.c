#include "server/api/assessments.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "base/value/utf8.h"
#include "io/gunzip.h"
#include "opdb/db/lists.h"
#include "server/api/again.h"
#include "server/api/asked.h"
#include "server/api/named.h"
#include "server/api/projects.h"
#include "server/api/repeat.h"
#include "server/api/runs.h"
#include "server/api/submission.h"
#include "server/api/tickets.h"
#include "server/http/answer.h"
#include "server/jobs/fields.h"
#include "server/jobs/job.h"
#include "server/jobs/log.h"
#include "server/jobs/queue.h"
#include "server/service/databases.h"
#include "server/service/find.h"
#include "server/service/lease.h"
#include "server/service/run_json.h"
#include "server/service/ticketing.h"
#include "store/keep.h"
#include "store/team.h"

extern const char example_log[]; /* tests/fixtures/torch-2.13/resnet50.a.log */

enum { EXIT_DATABASE = 4, TRY_AGAIN_SECONDS = 60 };

/* --- submitting */

/* The id of the assessment that is the baseline in full: its beginning may be that of another one later. */
static int settle_baseline(const struct service *service, struct request *request, struct err *err)
{
	struct str begin = request_value(request, "baseline");
	struct stored_assessment record;
	int status = begin.len ? answer_resolve(service, request, begin, &record, err) : 0;

	if (status == -ERR_ADDRESS) {
		err_set(err, ERR_VALUE, "there is no assessment '%s' for a baseline", shown(begin).text);
		return err_hint(err, "give the id of one of yours, or the first letters of it");
	}
	if (begin.len && !status)
		request_add(request, STR("baseline"), record.id);
	return status;
}

/* Only digests of waivers are options: who judges the run again needs their texts. */
static void give_waivers(struct job *job, const struct submission *submission)
{
	CLEANUP(buf_clear) struct buf fields = BUF_UNLIMITED, packed = BUF_UNLIMITED;

	for (size_t i = 0; i < submission->waiver_count; i++)
		field_put(&fields, submission->waivers[i]);
	if (!fields.len || !gzip_pack(buf_str(&fields), &packed))
		return;
	job->waivers = (struct stored_document){ job->record.id, STR("waivers"),
		arena_keep(&job->arena, buf_str(&packed)), fields.len };
}

static int describe_dump(const struct service *service, struct request *request, struct job *job, struct err *err)
{
	struct submission submission;
	struct settlement settlement = { &submission, NULL, service->limits, &job->arena };
	struct opdb *db = NULL;
	int status = settle_baseline(service, request, err);

	if (!status)
		status = project_add_waivers(service, request, err);
	if (service->no_stacks && !request_value(request, NO_STACKS).len)
		request_add(request, STR(NO_STACKS), STR("true"));
	if (!status)
		status = submission_read(request, &submission, err);
	if (!status)
		status = run_take(request, &job->arena, &job->run, err);
	job->run.former = request->former;
	submission.input_sha256 = upload_sha256(request->upload);
	submission.input_bytes = upload_bytes(request->upload);
	if (!status)
		status = service_open_db(service, &db, err);
	settlement.db = db;
	if (!status)
		status = submission_settle(&settlement, err);
	service_close_db(service, db);
	job->record = settlement.record;
	if (!status)
		give_waivers(job, &submission);
	settlement_clear(&settlement);
	return status;
}

static int keep_assessment(const struct service *service, struct job *job, struct err *err)
{
	struct entry entry = { .record = &job->record,
		.report = &job->document,
		.waivers = job->waivers.bytes ? &job->waivers : NULL,
		.upload = job->upload,
		.run = &job->run };
	int status;

	job->document.id = job->record.id;
	job->document.form = STR("json");
	status = store_keep(service->store, &entry, &job->arena, err);
	job->is_new = status == 1;
	return status < 0 ? status : 0;
}

/* A browser that sent the form goes on to the page. */
static void redirect(struct request *request, struct reply *reply, const struct stored_assessment *record)
{
	struct str lang = request->lang_given ? lang_name(request->lang) : STR("");

	reply_start(reply, STATUS_SEE_OTHER, NULL);
	reply_header(reply, "Location",
		arena_printf(&request->arena, "/assessments/%.*s%s%.*s", STR_ARG(record->id), lang.len ? "?lang=" : "",
			STR_ARG(lang)));
}

static int answer_submitted(
	const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	const struct job *job = request->job;
	struct jsonw json;

	(void)service;
	(void)err;
	if (request_wants_html(request, false)) {
		redirect(request, reply, &job->record);
		return 0;
	}
	answer_json(reply, job->is_new ? STATUS_CREATED : STATUS_OK);
	reply_header(
		reply, "Location", arena_printf(&request->arena, "/api/v1/assessments/%.*s", STR_ARG(job->record.id)));
	json = jsonw_start(&reply->body, 1);
	assessment_put_json(&json, &job->record, job->run.id.len ? &job->run : NULL);
	return 0;
}

/* The report of the assessment that is the baseline. */
static int give_baseline(const struct service *service, const struct request *request, struct job *job, struct err *err)
{
	struct stored_document report = { .id = request_value(request, "baseline"), .form = STR("json") };
	int status = report.id.len ? store_document(service->store, &report, &job->arena, err) : 0;

	if (!report.id.len || status < 0)
		return status;
	return status ? job_give(job, JOB_OTHER, report.packed, err) : no_such(err, "assessment");
}

/* Makes the job that becomes the assessment. */
static int prepare_check(const struct service *service, struct request *request, struct job *job, struct err *err)
{
	int status = give_baseline(service, request, job, err);

	if (!status)
		status = upload_open(request->upload, &job->files[JOB_INPUT], err);
	job->upload = request->upload;
	request->upload = NULL;
	job->keep = keep_assessment;
	request->resume = answer_submitted;
	job->keep_ticket = ticket_keep;
	job->end_ticket = ticket_end;
	memcpy(job->ticket, request->id, sizeof(job->ticket));
	return status ? status : job_ask(job, service->store, request, err);
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
	request->capture = request->key.answer;
	status = answer_find_run(service, request, &job->run, err);
	if (status)
		return status;
	job->record = job->run.record;
	job->is_new = request->key.status == STATUS_CREATED;
	return answer_submitted(service, request, reply, err);
}

/* Adds a run of an assessment that is there; for its project it is new unless one of its runs had it. 1, or 0 when
   there is no such assessment. */
static int add_run(const struct service *service, const struct request *request, struct job *job, struct err *err)
{
	struct id_like like = { job->record.id, request->caller.project, 1 };
	struct stored_assessment seen;
	int known = store_find_like(service->store, &like, &job->arena, &seen, err);
	int status = known < 0 ? known : store_add_run(service->store, job->record.id, &job->arena, &job->run, err);

	if (status != 1)
		return status;
	job->record = known ? seen : job->run.record;
	if (!known)
		job->record.created_at = job->run.created_at;
	job->is_new = !known;
	return 1;
}

/* A run whose facts are the same is what it was. */
static int answer_unchanged(
	const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct job *job = request->job;
	int status = store_find(service->store, request->former, &job->arena, &job->record, err);

	return status == 1 ? answer_submitted(service, request, reply, err)
	       : status    ? status
			   : no_such(err, "assessment");
}

/* Submits the dump that the request has, for what its parameters say; the client waits as long as it prefers. */
static int submit_upload(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct job *job = request->job = job_new(JOB_CHECK);
	int64_t wait_seconds;
	int status = request_wait(request, &wait_seconds, err);

	if (!status)
		status = describe_dump(service, request, job, err);
	if (!status)
		status = repeat_begin(service, request, err);
	if (status)
		return status < 0 ? status : answer_repeated(service, request, reply, err);
	if (str_eq(job->record.id, request->former))
		return answer_unchanged(service, request, reply, err);
	status = add_run(service, request, job, err);
	if (status < 0)
		return status;
	if (status == 1)
		return answer_submitted(service, request, reply, err);
	if (wait_seconds >= 0)
		job->answer_by_ms = queue_time_ms() + wait_seconds * 1000;
	job->ticket_first = wait_seconds == 0;
	status = prepare_check(service, request, job, err);
	return status ? status : ANSWER_LATER;
}

int answer_submit(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	if (!request->upload) {
		err_set(err, ERR_ARGUMENT, "the form has no file");
		return err_hint(err, "send the dump as the body, or as the field 'file' of a form");
	}
	return submit_upload(service, request, reply, err);
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

/* --- judging again */

/* The dump and the parameters of a run in the place of what was sent. */
static int take_again(const struct service *service, struct request *request, struct err *err)
{
	struct run run;
	int status = answer_find_run(service, request, &run, err);

	if (!status)
		status = again_take(service, request, &run, err);
	if (status)
		return status;
	upload_free(request->upload);
	request->upload = NULL;
	request->former = run.record.id;
	return upload_of_dump(service->store, run.record.input_sha256, &request->upload, err);
}

int answer_judge_again(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	int status;

	if (request->upload && upload_bytes(request->upload))
		return err_set(err, ERR_ARGUMENT, "judging again takes no dump: the service has it");
	status = take_again(service, request, err);
	return status ? status : submit_upload(service, request, reply, err);
}

/* Judges a run again that nobody waits for: 1 when there is work for it. */
static int judge_alone(const struct service *service, const struct standing *standing, struct err *err)
{
	struct request request;
	struct job *job = job_new(JOB_CHECK);
	int status;

	request_init(&request);
	request.capture = standing->run;
	request.caller.project = standing->project;
	status = take_again(service, &request, err);
	if (!status)
		status = describe_dump(service, &request, job, err);
	if (!status && str_eq(job->record.id, request.former))
		status = 1;
	if (!status)
		status = add_run(service, &request, job, err);
	if (!status)
		status = prepare_check(service, &request, job, err);
	if (!status)
		status = queue_add(service->queue, job, err);
	upload_free(request.upload);
	request_clear(&request);
	job_release(job);
	return status < 0 ? status : !status;
}

/* The digest of the facts as they are now, and whether it is another one than before. */
static int look_at_facts(const struct service *service, struct stale_round *round, struct err *err)
{
	struct opdb *db = NULL;
	int status = service_open_db(service, &db, err);

	if (!status && !str_eq(str_from(round->digest), opdb_info(db)->digest)) {
		snprintf(round->digest, sizeof(round->digest), "%.*s", STR_ARG(opdb_info(db)->digest));
		buf_reset(&round->after);
		round->over = false;
	}
	service_close_db(service, db);
	return status;
}

/* The next model and branch: where the round has come, into *ret_list. */
static int next_standing(const struct service *service, struct stale_round *round, struct arena *arena,
	struct standing_list *ret_list, struct err *err)
{
	struct str rest = buf_str(&round->after);
	struct standing_query query = { .max = 1 };
	const struct standing *at;
	int status;

	if (rest.len && str_cut(&rest, '\n', &query.after_project) && str_cut(&rest, '\n', &query.after_model))
		query.after_branch = rest;
	status = store_list_standings(service->store, &query, arena, ret_list, err);
	round->over = status || !ret_list->count;
	if (round->over)
		return status;
	at = ret_list->items; /* its text is none of the round's */
	buf_reset(&round->after);
	buf_printf(&round->after, "%.*s\n%.*s\n%.*s", STR_ARG(at->project), STR_ARG(at->model), STR_ARG(at->branch));
	return 0;
}

/* Each run of a model and branch that is the newest on some target. How many jobs that makes. */
static size_t judge_standings(const struct service *service, const struct standing_list *list)
{
	size_t queued = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct err err;
		size_t first = 0;
		int status;

		while (!str_eq(list->items[first].run, list->items[i].run))
			first++;
		status = first == i ? judge_alone(service, &list->items[i], &err) : 0;
		if (status < 0)
			log_error("", &err);
		queued += status == 1;
	}
	return queued;
}

int submits_judge_stale(const struct service *service, struct stale_round *round, struct err *err)
{
	enum { AT_A_TIME = 64 };
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct standing_list list;
	int status = look_at_facts(service, round, err);
	bool queued = !queue_rests(service->queue);

	for (size_t i = 0; i < AT_A_TIME && !status && !round->over && !queued; i++) {
		status = next_standing(service, round, &arena, &list, err);
		queued = !round->over && judge_standings(service, &list);
	}
	arena_clear(&arena);
	return status;
}

/* --- submitting again */

/* The same submit against the database as it is now: 0 when it is queued, 1 when its assessment is there. */
static int submit_again(const struct service *service, const struct ticket *ticket, struct job *job, struct err *err)
{
	struct asked asked;
	struct request *request = &asked.request;
	int status;

	request_init(request);
	if (!asked_read(ticket->asked, &asked))
		status = err_set(err, ERR_STORE_DAMAGED, "what a job was asked cannot be read");
	else
		status = upload_of_dump(service->store, ticket->input_sha256, &request->upload, err);
	request->caller.project = ticket->project;
	if (!status)
		status = describe_dump(service, request, job, err);
	if (!status)
		status = add_run(service, request, job, err);
	if (!status)
		status = prepare_check(service, request, job, err);
	snprintf(job->ticket, sizeof(job->ticket), "%.*s", STR_ARG(ticket->id));
	job->ticketed = true;
	job->ticket_first = false;
	job->answer_by_ms = -1;
	if (!status)
		status = queue_add(service->queue, job, err);
	upload_free(request->upload);
	request_clear(request);
	return status;
}

int submits_resume(const struct service *service, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct lease lease = service_lease(service);
	struct ticket ticket;
	bool waits = false;
	int found = 0;

	while (!waits && (found = store_take_ticket(service->store, &lease, &arena, &ticket, err)) == 1) {
		struct job *job = job_new(JOB_CHECK);
		int status = submit_again(service, &ticket, job, &job->err);

		waits = status < 0 && (err_exit_status(job->err.code) == EXIT_DATABASE || job->err.code == ERR_BUSY);
		if (waits) /* for a database or for room */
			found = store_return_ticket(service->store, ticket.id, lease.now + TRY_AGAIN_SECONDS, err);
		else if (status)
			ticket_end(service, job);
		job_release(job);
	}
	arena_clear(&arena);
	return found;
}

/* --- what becomes of it */

int answer_keep(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	bool keep;

	if (request_switch(request, "kept", &keep, err) != 1)
		return err->code ? -err->code : err_set(err, ERR_VALUE, "kept is true or false, and missing");
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
	struct buf tag = BUF_UNLIMITED;
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
		assessment_put_json(&json, &record, NULL);
	buf_clear(&tag);
	return 0;
}

static void put_records(struct reply *reply, struct request *request, const struct stored_list *list)
{
	struct jsonw json = answer_begin_list(reply);

	for (size_t i = 0; i < list->count; i++)
		assessment_put_json(&json, &list->items[i], NULL);
	answer_end_numbered_list(
		&json, reply, request, list->more ? list->items[list->count - 1].number : 0, (int64_t)list->total);
}

int answer_assessments(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct stored_list list;
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
	put_records(reply, request, &list);
	return 0;
}
