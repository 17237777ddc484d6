#include "server/work.h"

#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "dump/common/decode.h"
#include "io/gunzip.h"
#include "io/inflate.h"
#include "io/outfile.h"
#include "opdb/db/lists.h"
#include "report/record/load.h"
#include "report/render.h"
#include "server/api/asked.h"
#include "server/api/compare.h"
#include "server/api/lists.h"
#include "server/api/submission.h"
#include "server/jobs/fields.h"
#include "server/jobs/sandbox.h"
#include "server/pages/page.h"
#include "server/pages/page_report.h"
#include "server/service/databases.h"

enum { MOST_ARENAS = 2 };

static bool end_without_memory(unsigned tries)
{
	(void)tries;
	_exit(EXIT_NO_MEMORY);
}

/* What a job works with. */
struct work {
	const struct service *service;
	const int *files;
	struct asked asked;
	struct opdb *db; /* that a check opened; NULL: none */
	int (*shut_in)(const struct service *service, struct err *err);
	struct buf body; /* what is to become the document */
	struct buf *out;
	struct err *err;
};

static int put_document(struct work *work)
{
	const struct limits *limits = work->service->limits;
	CLEANUP(buf_clear) struct buf packed = BUF_UNLIMITED;

	if (work->body.full) {
		job_over_limit(work->err, "report", limits->report_bytes, "bytes", "report-bytes");
		return -work->err->code;
	}
	if (!gzip_pack(buf_str(&work->body), &packed))
		end_without_memory(0);
	field_put(work->out, buf_str(&packed));
	field_put_number(work->out, work->body.len);
	return 0;
}

/* The report in a file, as it is stored. */
static int unpack_report(struct work *work, int file, struct buf *ret)
{
	CLEANUP(buf_clear) struct buf packed = BUF_UNLIMITED;

	if (!field_read_file(file, &packed) || !gzip_unpack(buf_str(&packed), ret))
		return err_set(work->err, ERR_STORE_DAMAGED, "a stored report cannot be unpacked");
	return 0;
}

/* --- a check */

static void put_verdicts(struct buf *out, const struct stored_assessment *record)
{
	field_put_number(out, record->verdict_count);
	for (size_t i = 0; i < record->verdict_count; i++) {
		field_put(out, record->verdicts[i].target);
		field_put(out, record->verdicts[i].verdict);
		field_put(out, record->verdicts[i].gate);
		field_put_number(out, (uint64_t)record->verdicts[i].readiness_lo_ppm);
		field_put_number(out, (uint64_t)record->verdicts[i].readiness_hi_ppm);
	}
}

static void put_blockers(struct buf *out, const struct settlement *settlement)
{
	field_put_number(out, settlement->blockers.count);
	for (size_t i = 0; i < settlement->blockers.count; i++) {
		const struct stored_blocker *blocker = &settlement->blockers.items[i];

		field_put(out, blocker->target);
		field_put(out, blocker->op);
		field_put(out, blocker->status);
		field_put_number(out, (uint64_t)blocker->share_ppm);
	}
}

static void put_used(struct buf *out, const struct settlement *settlement)
{
	field_put_number(out, settlement->used_count);
	for (size_t i = 0; i < settlement->used_count; i++)
		field_put(out, settlement->used[i]);
}

static int take_baseline(struct work *work, struct settlement *settlement)
{
	CLEANUP(buf_clear) struct buf json = BUF_UNLIMITED;
	int status = unpack_report(work, work->files[JOB_OTHER], &json);

	return status ? status : submission_take_baseline(settlement, buf_str(&json), work->err);
}

static int refuse_other_facts(struct err *err)
{
	err_set(err, ERR_BUSY, "the support database was changed meanwhile");
	return err_hint(err, "ask again");
}

/* The submission that is asked for, settled against the database as it is now, whose id it has then. */
static int settle_asked(struct work *work, struct submission *submission, struct settlement *settlement)
{
	struct asked *asked = &work->asked;
	struct opdb *db = NULL;
	int status = submission_read(&asked->request, submission, work->err);

	submission->input_sha256 = asked->sha256;
	submission->input_bytes = asked->bytes;
	if (!status)
		status = service_open_db(work->service, &db, work->err);
	settlement->db = db;
	work->db = db;
	return status ? status : submission_settle(settlement, work->err);
}

static int perform_check(struct work *work)
{
	struct submission submission;
	struct settlement settlement = { &submission, NULL, work->service->limits, &work->asked.request.arena };
	int status = settle_asked(work, &submission, &settlement);

	if (!status && !str_eq(settlement.record.id, work->asked.id))
		status = refuse_other_facts(work->err);
	if (!status)
		status = work->shut_in(work->service, work->err);
	if (!status && submission.baseline.len)
		status = take_baseline(work, &settlement);
	if (!status)
		status = submission_check(&settlement, "-", &work->body, work->err);
	if (!status)
		status = put_document(work);
	if (!status) {
		put_verdicts(work->out, &settlement.record);
		put_blockers(work->out, &settlement);
		put_used(work->out, &settlement);
	}
	settlement_clear(&settlement);
	return status;
}

static int perform_answer(struct work *work)
{
	struct render_options options = { .lang = work->asked.request.lang };
	struct submission submission;
	struct settlement settlement = { &submission, NULL, work->service->limits, &work->asked.request.arena };
	int status = settle_asked(work, &submission, &settlement);

	/* it is stored under their digest */
	if (!status && !str_eq(opdb_info(work->db)->digest, request_value(&work->asked.request, "facts")))
		status = refuse_other_facts(work->err);
	if (!status)
		status = work->shut_in(work->service, work->err);
	if (!status)
		status = submission_answer(&settlement, work->asked.form, &options, &work->body, work->err);
	settlement_clear(&settlement);
	return status ? status : put_document(work);
}

/* --- reports */

static int load_report(struct work *work, int file, struct result **ret)
{
	CLEANUP(buf_clear) struct buf json = BUF_UNLIMITED;
	int status = unpack_report(work, file, &json);

	return status ? status : report_load(buf_str(&json), ret, work->err);
}

/* What the guide's script makes of the dump; where it makes nothing of it, or where scripts are among its bytes, its
   rule over what the report has. */
static int perform_lists(struct work *work)
{
	struct guide_lists lists = { 0 };
	struct result *result = NULL;
	struct err ignored;
	int status = load_report(work, work->files[JOB_OTHER], &result);
	bool by_script = !status && !result->source && !guide_extract("-", work->service->limits, &lists, &ignored) &&
			 lists.all_count;

	if (!status)
		lists_put(&work->asked.request, work->asked.form, &(struct listed){ &lists, by_script ? NULL : result },
			&work->body);
	guide_lists_clear(&lists);
	result_free(result);
	return status ? status : put_document(work);
}

static int perform_render(struct work *work)
{
	const struct request *request = &work->asked.request;
	unsigned rows = (unsigned)work->service->limits->report_rows;
	struct result *result;
	int status = work->shut_in(work->service, work->err);

	if (!status && lists_are(work->asked.form))
		return perform_lists(work);
	if (!status)
		status = load_report(work, work->files[JOB_INPUT], &result);
	if (status)
		return status;
	if (str_eq(work->asked.form, STR("page")))
		page_put_assessment(request, result, rows, &work->body);
	else if (!part_put(work->asked.form, request->lang, result, &work->body))
		render_report(renderer_find(work->asked.form), result,
			&(struct render_options){ .lang = request->lang, .rows = rows }, &work->body);
	result_free(result);
	return put_document(work);
}

static int perform_compare(struct work *work)
{
	struct result *before = NULL, *after = NULL;
	int status = work->shut_in(work->service, work->err);

	if (!status)
		status = load_report(work, work->files[JOB_INPUT], &before);
	if (!status)
		status = load_report(work, work->files[JOB_OTHER], &after);
	if (!status)
		status = compare_put(&work->asked.request, (struct compared){ before, after, work->asked.form },
			&work->body, work->err);
	result_free(before);
	result_free(after);
	return status ? status : put_document(work);
}

void work_perform(const struct service *service, enum job_kind kind, const int *files, struct buf *outcome,
	int (*shut_in)(const struct service *service, struct err *err))
{
	static int (*const performers[])(struct work *) = { [JOB_CHECK] = perform_check,
		[JOB_RENDER] = perform_render,
		[JOB_COMPARE] = perform_compare,
		[JOB_ANSWER] = perform_answer };
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED, out = BUF_UNLIMITED;
	struct err err = { 0 };
	struct work work = { .service = service,
		.files = files,
		.shut_in = shut_in,
		.body = BUF_INIT((size_t)service->limits->report_bytes),
		.out = &out,
		.err = &err };

	request_init(&work.asked.request);
	if (kind >= ARRAY_SIZE(performers) || !field_read_file(files[JOB_ASKED], &text) ||
		!asked_read(buf_str(&text), &work.asked))
		err_set(&err, ERR_INTERNAL, "what is asked of a job cannot be read");
	else
		performers[kind](&work);
	service_close_db(service, work.db);
	buf_clear(&work.body);
	request_clear(&work.asked.request);
	field_put(outcome, (struct str){ (const char *)&err, sizeof(err) });
	if (!err.code)
		buf_add(outcome, buf_str(&out));
}

static int shut_in(const struct service *service, struct err *err)
{
	const struct limits *limits = service->limits;
	uint64_t file_bytes = limits->spill_bytes > limits->report_bytes ? limits->spill_bytes : limits->report_bytes;

	return sandbox_enter(
		&(struct sandbox){ limits->job_bytes, limits->job_processor_seconds, file_bytes + file_bytes / 2 },
		err);
}

int work_run(const void *ctx, unsigned kind)
{
	struct buf outcome = BUF_UNLIMITED;
	struct err err;

	mem_on_failure(end_without_memory);
	mallopt(M_ARENA_MAX, MOST_ARENAS); /* each reserves addresses, which are counted */
	decoder_prepare();
	work_perform(ctx, kind, spawner_places, &outcome, shut_in);
	return outfile_put(spawner_places[JOB_OUTCOME], buf_str(&outcome), &err) ? EXIT_NO_SPACE : EXIT_SUCCESS;
}
