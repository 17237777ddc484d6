#include "server/service/rejudge.h"

#include <stdio.h>

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "io/inflate.h"
#include "opdb/db/lists.h"
#include "server/jobs/log.h"
#include "server/jobs/queue.h"
#include "server/jobs/queue_look.h"
#include "server/service/databases.h"
#include "server/service/fields.h"
#include "server/service/find.h"
#include "server/service/run_words.h"
#include "store/document.h"
#include "store/work.h"

/* --- a stored submit */

/* Joins the texts of waivers to the digests in the options; those of the project are read anew. */
static int load_waivers(const struct service *service, struct str assessment, struct arena *arena,
	struct submission *ret, struct err *err)
{
	struct stored_document document = { .id = assessment, .form = STR("waivers") };
	CLEANUP(buf_clear) struct buf fields = BUF_UNLIMITED;
	size_t own = 0;
	struct str rest, file;
	int status;

	for (size_t i = 0; i < ret->waiver_count; i++) {
		if (!ret->waivers[i].of_project)
			ret->waivers[own++] = ret->waivers[i];
	}
	ret->waiver_count = own;
	status = own ? store_document(service->store, &document, arena, err) : 0;
	if (!own || status < 0)
		return status;
	if (!status || !gzip_unpack(document.packed, &fields)) {
		err_set(err, ERR_VALUE, "the waivers of the run are not kept");
		return err_hint(err, "send the dump again, with its waivers");
	}
	rest = arena_keep(arena, buf_str(&fields));
	for (size_t i = 0; i < own && field_take(&rest, &file); i++) {
		str_cut(&file, '\n', &ret->waivers[i].name);
		ret->waivers[i].text = file;
	}
	return 0;
}

int rejudge_submission(const struct service *service, const struct stored_assessment *record, struct arena *arena,
	struct submission *ret, struct err *err)
{
	int status = submission_of_json(record->options, arena, ret, err);

	ret->asked_count = 0; /* resolved then, and now these releases */
	ret->name = record->name;
	return status ? status : load_waivers(service, record->id, arena, ret, err);
}

static int join_tags(struct str tags, struct arena *arena, struct str *ret, struct err *err)
{
	struct str items[RUN_TAGS];
	size_t count = 0;

	while (count < RUN_TAGS - 1 && tags.len && str_cut(&tags, ' ', &items[count]))
		count += !str_eq(items[count], STR(REJUDGED_TAG));
	items[count++] = STR(REJUDGED_TAG);
	return run_join_tags(items, count, arena, ret, err);
}

int rejudge_submit(
	const struct service *service, const struct run *run, struct arena *arena, struct submit *ret, struct err *err)
{
	int status = rejudge_submission(service, &run->record, arena, &ret->submission, err);

	ret->former = run->record.id;
	ret->submission.project = run->project;
	ret->submission.model = run->model;
	ret->submission.branch = run->branch;
	ret->submission.revision = run->revision;
	if (!status)
		status = join_tags(run->tags, arena, &ret->submission.tags, err);
	return status ? status : upload_of_dump(service->store, run->record.input_sha256, &ret->upload, err);
}

/* --- when the facts have changed */

/* Re-judges a run in the background: 1 when there is work for it. */
static int rejudge_run(const struct service *service, const struct latest_run *latest, struct err *err)
{
	struct job *job = job_new(JOB_CHECK);
	struct id_like named = { .begin = latest->run, .project = latest->project };
	char ticket[JOB_TICKET_BYTES];
	struct submit submit = { .project = latest->project };
	struct run run;
	int status = find_run(service, &named, &job->arena, &run, err);

	secret_random(ticket, sizeof(ticket) / 2);
	submit.ticket = str_from(ticket);
	if (!status)
		status = rejudge_submit(service, &run, &job->arena, &submit, err);
	if (!status)
		status = submit_resolve(service, &submit, job, err);
	if (!status)
		status = submit_start(service, &submit, job, err);
	job_set_owner(job, latest->project, STR(""));
	if (!status)
		status = queue_add(service->queue, job, err);
	upload_free(submit.upload);
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

/* The next model and branch, at which the round is then. */
static int next_branch(const struct service *service, struct stale_round *round, struct arena *arena,
	struct latest_list *ret_latest, struct err *err)
{
	struct str rest = buf_str(&round->after);
	struct latest_query query = { .max = 1 };
	const struct latest_run *at;
	int status;

	if (rest.len && str_cut(&rest, '\n', &query.after_project) && str_cut(&rest, '\n', &query.after_model))
		query.after_branch = rest;
	status = store_list_latest(service->store, &query, arena, ret_latest, err);
	round->over = status || !ret_latest->count;
	if (round->over)
		return status;
	at = ret_latest->items; /* its text is none of the round's */
	buf_reset(&round->after);
	buf_printf(&round->after, "%.*s\n%.*s\n%.*s", STR_ARG(at->project), STR_ARG(at->model), STR_ARG(at->branch));
	return 0;
}

/* Re-judges each run of a model and branch that is the latest on some target. Returns the number of jobs queued. */
static size_t rejudge_branch(const struct service *service, const struct latest_list *latest)
{
	size_t queued = 0;

	for (size_t i = 0; i < latest->count; i++) {
		struct err err;
		size_t first = 0;
		int status;

		while (!str_eq(latest->items[first].run, latest->items[i].run))
			first++;
		status = first == i ? rejudge_run(service, &latest->items[i], &err) : 0;
		if (status < 0)
			log_error("", &err);
		queued += status == 1;
	}
	return queued;
}

int rejudge_stale(const struct service *service, struct stale_round *round, struct err *err)
{
	enum { AT_A_TIME = 64 };
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct latest_list latest;
	int status = look_at_facts(service, round, err);
	struct work_count count = { 0 };
	bool queued = !queue_rests(service->queue);

	if (!status && service->replica)
		status = store_count_work(service->store, STR(""), &count, err);
	queued |= count.waiting > 0;
	for (size_t i = 0; i < AT_A_TIME && !status && !round->over && !queued; i++) {
		status = next_branch(service, round, &arena, &latest, err);
		queued = !round->over && rejudge_branch(service, &latest);
	}
	return status;
}
