#include "server/service/work.h"

#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "dump/common/decode.h"
#include "io/gunzip.h"
#include "io/inflate.h"
#include "io/outfile.h"
#include "io/tempfile.h"
#include "opdb/db/lists.h"
#include "report/record/load.h"
#include "report/render.h"
#include "server/jobs/outcome.h"
#include "server/jobs/sandbox.h"
#include "server/service/comparison.h"
#include "server/service/databases.h"
#include "server/service/lists.h"
#include "server/service/parts.h"
#include "server/service/resolution.h"

enum {
	MOST_ARENAS = 2,
	READ_AHEAD_FROM = 24, /* reading every fact takes as long as 24 jobs gain by it, and 20 MB */
};

static bool end_without_memory(unsigned tries UNUSED)
{
	_exit(EXIT_NO_MEMORY);
}

/* A job in its process. */
struct work {
	const struct workshop *shop;
	const int *files;
	struct arena arena;
	struct order order;
	struct opdb *db;   /* that a check opened; NULL: none */
	struct buf body;   /* what is to become the document */
	struct buf packed; /* the document */
	struct buf *out;   /* the outcome */
	struct err *err;
};

static const struct limits *limits_of(const struct work *work)
{
	return work->shop->service->limits;
}

/* A job that reads a dump may take more memory than one that reads reports. */
static int shut_in(const struct work *work, bool reads_dump)
{
	const struct limits *limits = limits_of(work);

	return work->shop->shut_in(
		work->shop->service, reads_dump ? limits->job_bytes : limits->rendering_bytes, work->err);
}

/* Puts the outcome; of a check with what it found. */
static int put_outcome(struct work *work, const struct resolution *checked)
{
	struct outcome outcome = { .bytes = work->body.len };

	if (work->body.full) {
		job_over_limit(work->err, "report", limits_of(work)->report_bytes, "bytes", "report-bytes");
		return -work->err->code;
	}
	if (!gzip_pack(buf_str(&work->body), &work->packed))
		end_without_memory(0);
	outcome.packed = buf_str(&work->packed);
	if (checked) {
		outcome.verdicts = checked->record.verdicts;
		outcome.verdict_count = checked->record.verdict_count;
		outcome.basis = checked->record.basis;
		outcome.shown_ppm = checked->record.shown_ppm;
		outcome.blockers = checked->blockers.items;
		outcome.blocker_count = checked->blockers.count;
		outcome.used = checked->used;
		outcome.used_count = checked->used_count;
	}
	outcome_put(work->out, &outcome, work->err);
	return 0;
}

/* The report in a file, as it is stored. */
static int unpack_report(struct work *work, int file, struct buf *ret)
{
	CLEANUP(buf_clear) struct buf packed = BUF_UNLIMITED;

	if (!job_read_file(file, &packed) || !gzip_unpack(buf_str(&packed), ret))
		return err_set(work->err, ERR_STORE_DAMAGED, "a stored report cannot be unpacked");
	return 0;
}

/* A dump that was stored is what its digest says, or is not read at all. */
static int check_dump(struct work *work)
{
	const struct order *order = &work->order;
	char piece[64 * 1024], digest[SHA256_HEX_BYTES];
	struct sha256 *sha;
	off_t at = 0;
	ssize_t len;

	if (!order->stored)
		return 0;
	sha = sha256_new();
	while ((len = pread(work->files[JOB_INPUT], piece, sizeof(piece), at)) > 0) {
		sha256_add(sha, (struct str){ piece, (size_t)len });
		at += len;
	}
	sha256_end(sha, digest);
	if (str_eq(order->input_sha256, str_from(digest)))
		return 0;
	return err_set(
		work->err, ERR_STORE_DAMAGED, "the dump %.*s is not what was stored", STR_ARG(order->input_sha256));
}

/* --- a check */

static int take_baseline(struct work *work, struct resolution *resolution)
{
	CLEANUP(buf_clear) struct buf json = BUF_UNLIMITED;
	int status = unpack_report(work, work->files[JOB_OTHER], &json);

	return status ? status : submission_take_baseline(resolution, buf_str(&json), work->err);
}

static int refuse_other_facts(struct err *err)
{
	err_set(err, ERR_BUSY, "the support database was changed meanwhile");
	return err_hint(err, "ask again");
}

static struct resolution resolution_of(struct work *work)
{
	return (struct resolution){ .submission = &work->order.submission,
		.limits = limits_of(work),
		.arena = &work->arena,
		.record.input_sha256 = work->order.input_sha256,
		.record.input_bytes = work->order.input_bytes };
}

/* The submission against the database as it is now, which it must have the same id with. */
static int resolve_order(struct work *work, struct resolution *resolution)
{
	int status = service_open_db(work->shop->service, &work->db, work->err);

	resolution->db = work->db;
	return status ? status : submission_resolve(resolution, work->err);
}

static int perform_check(struct work *work)
{
	CLEANUP(resolution_clear) struct resolution resolution = resolution_of(work);
	int status = resolve_order(work, &resolution);

	if (!status && !str_eq(resolution.record.id, work->order.assessment))
		status = refuse_other_facts(work->err);
	if (!status)
		status = shut_in(work, true);
	if (!status)
		status = check_dump(work);
	if (!status && work->order.submission.baseline.len)
		status = take_baseline(work, &resolution);
	if (!status)
		status = submission_check(&resolution, "-", &work->body, work->err);
	if (!status)
		status = put_outcome(work, &resolution);
	return status;
}

static int perform_answer(struct work *work)
{
	struct render_options options = { .lang = work->order.lang };
	CLEANUP(resolution_clear) struct resolution resolution = resolution_of(work);
	int status = resolve_order(work, &resolution);

	/* it is stored under their digest */
	if (!status && !str_eq(opdb_info(work->db)->digest, work->order.facts))
		status = refuse_other_facts(work->err);
	if (!status)
		status = shut_in(work, true);
	if (!status)
		status = check_dump(work);
	if (!status)
		status = submission_answer(&resolution, work->order.form, &options, &work->body, work->err);
	return status ? status : put_outcome(work, NULL);
}

/* --- reports */

static int load_report(struct work *work, int file, struct result **ret)
{
	CLEANUP(buf_clear) struct buf json = BUF_UNLIMITED;
	int status = unpack_report(work, file, &json);

	return status ? status : report_load_spending(&json, ret, work->err);
}

/* Put the lists of the guide's script; where it finds nothing, or where scripts are among the bytes of the dump, its
   rule over what the report has. */
static int perform_lists(struct work *work)
{
	struct guide_lists lists = { 0 };
	struct result *result = NULL;
	struct err ignored;
	int status = check_dump(work) ? -ERR_STORE_DAMAGED : load_report(work, work->files[JOB_OTHER], &result);
	bool by_script = !status && !result->source && !guide_extract("-", limits_of(work), &lists, &ignored) &&
			 lists.all_count;

	if (!status)
		lists_put(&work->order, &(struct listed){ &lists, by_script ? NULL : result }, &work->body);
	guide_lists_clear(&lists);
	result_free(result);
	return status ? status : put_outcome(work, NULL);
}

static int perform_render(struct work *work)
{
	const struct order *order = &work->order;
	unsigned rows = (unsigned)limits_of(work)->report_rows;
	struct result *result;
	int status = shut_in(work, lists_are(order->form));

	if (!status && lists_are(order->form))
		return perform_lists(work);
	if (!status)
		status = load_report(work, work->files[JOB_INPUT], &result);
	if (status)
		return status;
	if (str_eq(order->form, STR("page")))
		work->shop->put_page(order, result, rows, &work->body);
	else if (!part_put(order->form, order->lang, result, &work->body))
		render_report(renderer_find(order->form), result,
			&(struct render_options){ .lang = order->lang, .rows = rows }, &work->body);
	result_free(result);
	return put_outcome(work, NULL);
}

static int perform_compare(struct work *work)
{
	struct comparison asked = {
		.form = work->order.form, .lang = work->order.lang, .fail_on = work->order.fail_on
	};
	struct result *before = NULL, *after = NULL;
	int status = shut_in(work, false);

	if (!status)
		status = load_report(work, work->files[JOB_INPUT], &before);
	if (!status)
		status = load_report(work, work->files[JOB_OTHER], &after);
	if (!status)
		status = comparison_put_changes(&(struct compared){ before, after }, &asked, &work->body, work->err);
	result_free(before);
	result_free(after);
	return status ? status : put_outcome(work, NULL);
}

void work_perform(const struct workshop *shop, enum job_kind kind, const int *files, struct buf *outcome)
{
	static int (*const performers[])(struct work *) = { [JOB_CHECK] = perform_check,
		[JOB_RENDER] = perform_render,
		[JOB_COMPARE] = perform_compare,
		[JOB_ANSWER] = perform_answer };
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct err err = { 0 };
	struct work work = { .shop = shop,
		.files = files,
		.arena = ARENA_INIT(ARENA_UNLIMITED),
		.body = BUF_INIT((size_t)shop->service->limits->report_bytes),
		.packed = BUF_UNLIMITED,
		.out = outcome,
		.err = &err };

	if (kind >= ARRAY_SIZE(performers) || !job_read_file(files[JOB_ASKED], &text) ||
		order_read(buf_str(&text), &work.arena, &work.order, &err))
		err_set(&err, ERR_INTERNAL, "the order of a job is damaged");
	else
		performers[kind](&work);
	service_close_db(shop->service, work.db);
	buf_clear(&work.body);
	buf_clear(&work.packed);
	arena_clear(&work.arena);
	if (err.code)
		outcome_put(outcome, &(struct outcome){ 0 }, &err);
}

int work_shut_in(const struct service *service, uint64_t memory_bytes, struct err *err)
{
	const struct limits *limits = service->limits;
	uint64_t file_bytes = limits->spill_bytes > limits->report_bytes ? limits->spill_bytes : limits->report_bytes;

	tempfile_reserve();
	return sandbox_enter(
		&(struct sandbox){ memory_bytes, limits->job_processor_seconds, file_bytes + file_bytes / 2 }, err);
}

/* SQLite forbids a connection behind a fork for its locks; a support database is immutable and has none. Jobs inherit
   what is read ahead. A job reports an error itself. */
void work_prepare(const void *ctx, uint64_t number)
{
	const struct workshop *shop = ctx;
	struct opdb *db;
	struct err ignored;

	if (service_open_db(shop->service, &db, &ignored))
		return;
	if (number >= READ_AHEAD_FROM)
		opdb_read_ahead(db, &ignored);
	service_close_db(shop->service, db);
}

int work_run(const void *ctx, unsigned kind)
{
	struct buf outcome = BUF_UNLIMITED;
	struct err err;

	mem_on_failure(end_without_memory);
	mallopt(M_ARENA_MAX, MOST_ARENAS); /* each reserves addresses, which are counted */
	decoder_prepare();
	work_perform(ctx, kind, spawner_places, &outcome);
	return outfile_put(spawner_places[JOB_OUTCOME], buf_str(&outcome), &err) ? EXIT_NO_SPACE : EXIT_SUCCESS;
}
