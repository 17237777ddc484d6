#include "server/api/part.h"

#include "check/check.h"
#include "io/inflate.h"
#include "server/api/again.h"
#include "server/api/asked.h"
#include "server/jobs/job.h"
#include "server/jobs/queue.h"
#include "server/service/find.h"

struct str part_name(struct request *request, struct str form, bool translated)
{
	bool given = str_eq(form, STR("page")) && request->lang_given; /* links keep it */

	if (str_eq(form, STR("json")))
		return form;
	return translated ? arena_printf(&request->arena, "%.*s-%.*s%s%s", STR_ARG(form),
				    STR_ARG(lang_name(request->lang)), given ? "-given-" : "-", check_version())
			  : arena_printf(&request->arena, "%.*s-%s", STR_ARG(form), check_version());
}

static int keep_rendered(const struct service *service, struct job *job, struct err *err)
{
	return store_keep_document(service->store, &job->document, err);
}

/* Give the job the dump of an assessment as it was sent. */
static int give_dump(const struct service *service, struct job *job, struct err *err)
{
	struct stored_assessment record;
	int status = store_find(service->store, job->record.id, &job->arena, &record, err);

	if (status == 0)
		return no_such(err, "assessment");
	if (status > 0)
		status = upload_of_dump(service->store, record.input_sha256, &job->upload, err);
	return status ? status : upload_open(job->upload, &job->files[JOB_INPUT], err);
}

int part_render(const struct service *service, struct request *request, const struct part *part, struct str name,
	struct err *err)
{
	struct job *job = request->job = job_new(JOB_RENDER);
	struct stored_document report = { .id = part->id, .form = STR("json") };
	int status;

	job->form = part->form;
	job->record.id = arena_keep(&job->arena, part->id);
	job->document = (struct stored_document){ .id = job->record.id, .form = arena_keep(&job->arena, name) };
	job->keep = keep_rendered;
	request->resume = part->answer;
	if (queue_follow(service->queue, job))
		return ANSWER_LATER;
	status = store_document(service->store, &report, &job->arena, err);
	if (status == 0)
		return no_such(err, "assessment");
	status = status < 0 ? status : job_give(job, part->of_dump ? JOB_OTHER : JOB_INPUT, report.packed, err);
	if (!status && part->of_dump)
		status = give_dump(service, job, err);
	if (!status)
		status = job_ask(job, service->store, request, err);
	return status ? status : ANSWER_LATER;
}

int part_reread(const struct service *service, struct request *request, const struct part *part, struct str name,
	struct err *err)
{
	struct job *job = request->job = job_new(JOB_ANSWER);
	int status = store_find(service->store, part->id, &job->arena, &job->record, err);

	if (status < 1)
		return status ? status : no_such(err, "assessment");
	job->form = arena_keep(&job->arena, part->form);
	job->document = (struct stored_document){ .id = job->record.id, .form = arena_keep(&job->arena, name) };
	job->keep = keep_rendered;
	request->resume = part->answer;
	status = again_take_options(service, request, &job->record, err);
	if (!status)
		status = give_dump(service, job, err);
	if (!status)
		status = job_ask(job, service->store, request, err);
	return status ? status : ANSWER_LATER;
}

int part_take(const struct service *service, struct request *request, const struct part *part, struct buf *out,
	struct err *err)
{
	struct stored_document document = { .id = part->id, .form = part_name(request, part->form, true) };
	const struct job *job = request->job;
	int status = 1;

	if (job)
		document = (job->leader ? job->leader : job)->document;
	else
		status = store_document(service->store, &document, &request->arena, err);
	if (status == 0)
		return part_render(service, request, part, document.form, err);
	if (status > 0 && !gzip_unpack(document.packed, out))
		status = err_set(err, ERR_JOB, "the process that did the work wrote no outcome");
	return status < 0 ? status : 0;
}
