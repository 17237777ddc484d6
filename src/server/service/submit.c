#include "server/service/submit.h"

#include <stdio.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "io/gunzip.h"
#include "server/service/databases.h"
#include "server/service/fields.h"
#include "server/service/find.h"
#include "server/service/order.h"
#include "server/service/project.h"
#include "server/service/resolution.h"
#include "server/service/run_words.h"
#include "server/service/ticketing.h"
#include "store/keep.h"

/* --- resolving */

/* The id of the baseline in full: its beginning may be that of another one later. */
static int complete_baseline(const struct service *service, const struct submit *submit, struct arena *arena,
	struct str *id, struct err *err)
{
	struct id_like named = { .begin = *id, .project = submit->project };
	struct stored_assessment record;
	int status = id->len ? find_assessment(service, &named, arena, &record, err) : 0;

	if (status == -ERR_ADDRESS) {
		err_set(err, ERR_VALUE, "unknown baseline: no assessment '%s'", shown(*id).text);
		return err_hint(err, "give the id of one of yours, or the first letters of it");
	}
	if (id->len && !status)
		*id = record.id;
	return status;
}

/* Behind those that came with the dump. */
static int add_project_waivers(
	const struct service *service, struct submission *submission, struct arena *arena, struct err *err)
{
	struct submission_waivers *files;
	struct project_waivers waivers;
	int status;

	if (!submission->project.len || ANY(i, submission->waiver_count, submission->waivers[i].of_project))
		return 0;
	status = store_project_waivers(service->store, submission->project, arena, &waivers, err);
	if (status || !waivers.text.len)
		return status;
	files = arena_alloc(arena, (submission->waiver_count + 1) * sizeof(files[0]));
	if (submission->waiver_count)
		memcpy(files, submission->waivers, submission->waiver_count * sizeof(files[0]));
	files[submission->waiver_count++] = (struct submission_waivers){
		.name = STR(PROJECT_WAIVERS_FILE), .text = waivers.text, .of_project = true
	};
	submission->waivers = files;
	return 0;
}

/* Options hold digests only; re-judging needs the texts. */
static void keep_waivers(struct job *job, const struct submission *submission)
{
	CLEANUP(buf_clear) struct buf fields = BUF_UNLIMITED, packed = BUF_UNLIMITED, file = BUF_UNLIMITED;

	for (size_t i = 0; i < submission->waiver_count; i++) {
		if (submission->waivers[i].of_project)
			continue;
		buf_reset(&file);
		buf_add(&file, submission->waivers[i].name);
		buf_byte(&file, '\n');
		buf_add(&file, submission->waivers[i].text);
		field_put(&fields, buf_str(&file));
	}
	if (!fields.len || !gzip_pack(buf_str(&fields), &packed))
		return;
	job->waivers = (struct stored_document){ job->record.id, STR("waivers"),
		arena_keep(&job->arena, buf_str(&packed)), fields.len };
}

static void describe_run(struct job *job, const struct submit *submit)
{
	const struct submission *submission = &submit->submission;

	job->run.project = arena_keep(&job->arena, submission->project);
	job->run.model = arena_keep(&job->arena, submission->model);
	job->run.branch = arena_keep(&job->arena, submission->branch);
	job->run.revision = arena_keep(&job->arena, submission->revision);
	job->run.tags = arena_keep(&job->arena, submission->tags);
	job->run.former = submit->former.ptr ? arena_keep(&job->arena, submit->former) : submit->former;
}

int submit_resolve(const struct service *service, struct submit *submit, struct job *job, struct err *err)
{
	struct submission *submission = &submit->submission;
	CLEANUP(resolution_clear) struct resolution resolution = { submission, NULL, service->limits, &job->arena };
	struct opdb *db = NULL;
	int status = complete_baseline(service, submit, &job->arena, &submission->baseline, err);

	submission->no_stacks |= service->no_stacks;
	if (!status)
		status = run_check_words(submission, err);
	if (!status)
		status = add_project_waivers(service, submission, &job->arena, err);
	if (!status)
		status = service_open_db(service, &db, err);
	resolution.db = db;
	resolution.record.input_sha256 = arena_keep(&job->arena, upload_sha256(submit->upload));
	resolution.record.input_bytes = upload_bytes(submit->upload);
	if (!status)
		status = submission_resolve(&resolution, err);
	service_close_db(service, db);
	job->record = resolution.record;
	describe_run(job, submit);
	if (!status)
		keep_waivers(job, submission);
	return status;
}

/* --- starting */

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
	ticket_claim(service, job);
	if (job->is_new) /* to the project */
		job->run.claim.status = job->run.claim.status_new;
	status = store_keep(service->store, &entry, &job->arena, err);
	if (status == 0 && job->is_new)
		job->record.created_at = job->run.created_at;
	job->is_new |= status == 1;
	return status < 0 ? status : 0;
}

/* Returns 0 when the assessment does not exist. */
static int add_run(const struct service *service, const struct submit *submit, struct job *job, struct err *err)
{
	struct id_like like = { job->record.id, submit->project, 1 };
	struct stored_assessment seen;
	int known = store_find_like(service->store, &like, &job->arena, &seen, err), status;

	/* a project waits as long for a dump of another one: the work is done again, and its time says nothing */
	job->is_new = !known && submit->project.len;
	if (known <= 0)
		return known;
	ticket_claim(service, job);
	status = store_add_run(service->store, job->record.id, &job->arena, &job->run, err);
	if (status == 1)
		job->record = seen;
	return status;
}

int submit_start(const struct service *service, struct submit *submit, struct job *job, struct err *err)
{
	struct order order = { .assessment = job->record.id,
		.input_sha256 = job->record.input_sha256,
		.input_bytes = job->record.input_bytes,
		.stored = upload_is_kept(submit->upload),
		.submission = submit->submission };
	int status;

	if (str_eq(job->record.id, submit->former)) { /* a run whose facts are the same is what it was */
		struct id_like like = { submit->former, submit->project, 1 };

		status = store_find_like(service->store, &like, &job->arena, &job->record, err);
		return status ? status : no_such(err, "assessment");
	}
	status = add_run(service, submit, job, err);
	if (status)
		return status;
	job->upload = submit->upload;
	submit->upload = NULL;
	snprintf(job->ticket, sizeof(job->ticket), "%.*s", STR_ARG(submit->ticket));
	if (service->replica && !job->ticketed) { /* whichever service claims it does it */
		order_put(&order, job);
		job->hand_over = ticket_hand_over;
		job->keep = ticket_take;
		job->keep_ticket = ticket_acknowledge;
		job->end_ticket = ticket_withdraw;
		return 0;
	}
	status = submit->submission.baseline.len
			 ? order_give_report(service->store, submit->submission.baseline, job, JOB_OTHER, err)
			 : 0;
	if (!status)
		status = upload_open(job->upload, &job->files[JOB_INPUT], err);
	job->keep = keep_assessment;
	job->keep_ticket = ticket_keep;
	job->end_ticket = ticket_end;
	return status ? status : order_give(&order, job, service->store, err);
}
