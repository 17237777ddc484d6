#include "server/job.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "dump/common/decode.h"
#include "io/gunzip.h"
#include "io/inflate.h"
#include "io/outfile.h"
#include "report/load.h"
#include "report/render.h"
#include "server/answer.h"
#include "server/compared.h"
#include "server/page.h"
#include "server/sandbox.h"
#include "server/submission.h"

enum { EXIT_NO_MEMORY = 3, EXIT_NO_SPACE = 4 };
enum { MOST_ARENAS = 2 };

/* --- fields: each preceded by its length */

static void put_field(struct buf *out, struct str text)
{
	uint64_t len = text.len;

	buf_add(out, (struct str){ (const char *)&len, sizeof(len) });
	buf_add(out, text);
}

static bool take_field(struct str *rest, struct str *ret)
{
	uint64_t len;

	if (rest->len < sizeof(len))
		return false;
	memcpy(&len, rest->ptr, sizeof(len));
	if (len > rest->len - sizeof(len))
		return false;
	*ret = str_sub(*rest, sizeof(len), sizeof(len) + len);
	*rest = str_skip(*rest, sizeof(len) + len);
	return true;
}

/* --- a job in the service */

struct job *job_new(enum job_kind kind)
{
	struct job *job = mem_zalloc(sizeof(*job));

	job->kind = kind;
	job->arena = ARENA_INIT(ARENA_UNLIMITED);
	job->outcome = BUF_UNLIMITED;
	for (size_t i = 0; i < SPAWNER_FILES; i++)
		job->files[i] = -1;
	atomic_init(&job->holders, 1);
	return job;
}

void job_hold(struct job *job)
{
	atomic_fetch_add(&job->holders, 1);
}

void job_release(struct job *job)
{
	if (!job || atomic_fetch_sub(&job->holders, 1) > 1)
		return;
	for (size_t i = 0; i < SPAWNER_FILES; i++) {
		if (job->files[i] >= 0)
			close(job->files[i]);
	}
	upload_free(job->upload);
	buf_clear(&job->outcome);
	arena_clear(&job->arena);
	free(job);
}

static void put_number(struct buf *out, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	put_field(out, str_from(text));
}

/* The record that it is about, and what of the request decides what comes out. */
static void put_asked(struct buf *out, const struct job *job, const struct request *request)
{
	put_field(out, job->record.id);
	put_field(out, job->record.input_sha256);
	put_number(out, job->record.input_bytes);
	put_field(out, job->form);
	put_field(out, request->method);
	put_field(out, request->path);
	put_number(out, request->lang);
	put_number(out, request->lang_given);
	put_field(out, request->file_name);
	for (size_t i = 0; i < request->parameters.count; i++) {
		put_field(out, request->parameters.items[i].name);
		put_field(out, request->parameters.items[i].value);
	}
}

int job_give(struct job *job, size_t place, struct str bytes, struct err *err)
{
	job->files[place] = memfd_create("opcheckd", MFD_CLOEXEC);
	if (job->files[place] < 0)
		return err_os(err, ERR_STORE, errno, "cannot start a job");
	return outfile_put(job->files[place], bytes, err);
}

int job_equip(struct job *job, const struct service *service, const struct request *request, struct err *err)
{
	CLEANUP(buf_clear) struct buf asked = BUF_UNLIMITED;
	int status;

	put_asked(&asked, job, request);
	status = job_give(job, JOB_ASKED, buf_str(&asked), err);
	return status ? status : store_scratch(service->store, &job->files[JOB_OUTCOME], err);
}

/* --- what came of it */

static int read_file(int fd, struct buf *ret)
{
	struct stat info;
	char *space;
	ssize_t len;

	if (fstat(fd, &info))
		return -1;
	space = mem_resize(NULL, (size_t)info.st_size, 1);
	len = pread(fd, space, (size_t)info.st_size, 0);
	buf_add(ret, (struct str){ space, len > 0 ? (size_t)len : 0 });
	free(space);
	return len == info.st_size ? 0 : -1;
}

static void fail_over(struct err *err, const char *what, uint64_t most, const char *unit, const char *limit)
{
	err_set(err, ERR_LIMIT, "the work takes more than %llu %s of %s", (unsigned long long)most, unit, what);
	err_hint(err, "profile fewer steps, or ask who runs the service to raise its limit %s", limit);
}

/* How a process ended that wrote no outcome. */
static void settle_end(struct err *err, const struct limits *limits, const struct spawn_end *end)
{
	int code = WIFEXITED(end->status) ? WEXITSTATUS(end->status) : -1;
	int number = WIFSIGNALED(end->status) ? WTERMSIG(end->status) : 0;

	if (end->never)
		err_set(err, ERR_BUSY, "the system allows no further process");
	else if (end->late)
		fail_over(err, "time", limits->job_seconds, "seconds", "job-seconds");
	else if (number == SIGXCPU)
		fail_over(err, "processor time", limits->job_processor_seconds, "seconds", "job-processor-seconds");
	else if (code == EXIT_NO_MEMORY)
		fail_over(err, "memory", limits->job_bytes, "bytes", "job-bytes");
	else if (code == EXIT_NO_SPACE)
		err_set(err, ERR_STORE_FULL, "there is no space for what came of the work");
	else if (number)
		err_set(err, ERR_JOB, "the process that did the work ended by signal %d", number);
	else
		err_set(err, ERR_JOB, "the process that did the work ended with status %d", code);
}

/* The error that the process wrote first; code 0: it succeeded. */
static bool take_err(struct str *rest, struct err *ret)
{
	struct str bytes;

	if (!take_field(rest, &bytes) || bytes.len != sizeof(*ret))
		return false;
	memcpy(ret, bytes.ptr, sizeof(*ret));
	ret->where[sizeof(ret->where) - 1] = ret->text[sizeof(ret->text) - 1] = '\0';
	ret->hint[sizeof(ret->hint) - 1] = '\0';
	return !ret->code || err_name(ret->code);
}

static bool take_number(struct str *rest, uint64_t *ret)
{
	struct str text;

	return take_field(rest, &text) && decimal_unsigned(text, ret);
}

/* The document; then, of a check, the verdicts. */
static bool take_outcome(struct job *job, struct str rest)
{
	MEM_LIST(struct record_verdict) found = { 0 };
	struct record_verdict verdict;
	bool whole = take_field(&rest, &job->document.packed) && take_number(&rest, &job->document.bytes);

	while (whole && rest.len) {
		whole = take_field(&rest, &verdict.target) && take_field(&rest, &verdict.verdict) &&
			take_field(&rest, &verdict.gate);
		if (whole)
			MEM_PUSH(&found, verdict);
	}
	if (found.count) {
		job->record.verdicts = arena_alloc(&job->arena, found.count * sizeof(found.items[0]));
		memcpy(job->record.verdicts, found.items, found.count * sizeof(found.items[0]));
		job->record.verdict_count = found.count;
	}
	free(found.items);
	return whole;
}

void job_read_outcome(struct job *job)
{
	struct str rest = buf_str(&job->outcome);

	if (!take_err(&rest, &job->err) || (!job->err.code && !take_outcome(job, rest)))
		err_set(&job->err, ERR_JOB, "the process that did the work wrote no outcome");
}

void job_collect(struct job *job, const struct limits *limits, const struct spawn_end *end)
{
	if (end->never || end->late || end->status)
		settle_end(&job->err, limits, end);
	else if (read_file(job->files[JOB_OUTCOME], &job->outcome))
		err_set(&job->err, ERR_STORE, "cannot read what came of the work");
	else
		job_read_outcome(job);
}

/* --- in the process */

static void end_without_memory(void)
{
	_exit(EXIT_NO_MEMORY);
}

struct asked {
	struct request request;
	struct str id, sha256, form;
	uint64_t bytes;
};

/* What a job works with. */
struct work {
	const struct service *service;
	const int *files;
	struct asked asked;
	int (*shut_in)(const struct service *service, struct err *err);
	struct buf body; /* what is to become the document */
	struct buf *out;
	struct err *err;
};

static bool take_asked(struct str rest, struct asked *ret)
{
	struct request *request = &ret->request;
	struct str name, value;
	uint64_t lang = 0, lang_given = 0;
	bool whole = take_field(&rest, &ret->id) && take_field(&rest, &ret->sha256) &&
		     take_number(&rest, &ret->bytes) && take_field(&rest, &ret->form) &&
		     take_field(&rest, &request->method) && take_field(&rest, &request->path) &&
		     take_number(&rest, &lang) && take_number(&rest, &lang_given) &&
		     take_field(&rest, &request->file_name);

	request->lang = (enum lang)lang;
	request->lang_given = lang_given;
	request->capture = ret->id;
	while (whole && rest.len) {
		whole = take_field(&rest, &name) && take_field(&rest, &value);
		if (whole)
			request_add(request, name, value);
	}
	return whole;
}

static int put_document(struct work *work)
{
	const struct limits *limits = &work->service->limits;
	CLEANUP(buf_clear) struct buf packed = BUF_UNLIMITED;

	if (work->body.full) {
		fail_over(work->err, "report", limits->report_bytes, "bytes", "report-bytes");
		return -work->err->code;
	}
	if (!gzip_pack(buf_str(&work->body), &packed))
		end_without_memory();
	put_field(work->out, buf_str(&packed));
	put_number(work->out, work->body.len);
	return 0;
}

/* --- a check */

static void put_verdicts(struct buf *out, const struct record *record)
{
	for (size_t i = 0; i < record->verdict_count; i++) {
		put_field(out, record->verdicts[i].target);
		put_field(out, record->verdicts[i].verdict);
		put_field(out, record->verdicts[i].gate);
	}
}

static int perform_check(struct work *work)
{
	struct asked *asked = &work->asked;
	struct submission submission;
	struct settlement settlement = { &submission, NULL, &work->service->limits, &asked->request.arena };
	struct opdb *db = NULL;
	int status = submission_read(&asked->request, &submission, work->err);

	submission.input_sha256 = asked->sha256;
	submission.input_bytes = asked->bytes;
	if (!status)
		status = answer_open_db(work->service, &db, work->err);
	settlement.db = db;
	if (!status)
		status = submission_settle(&settlement, work->err);
	if (!status && !str_eq(settlement.record.id, asked->id))
		status = err_set(
			work->err, ERR_BUSY, "the support database was changed meanwhile; send the dump again");
	if (!status)
		status = work->shut_in(work->service, work->err);
	if (!status)
		status = submission_check(&settlement, "-", &work->body, work->err);
	if (!status)
		status = put_document(work);
	if (!status)
		put_verdicts(work->out, &settlement.record);
	opdb_close(db);
	return status;
}

/* --- reports */

/* The report in a file, as it is stored. */
static int load_report(struct work *work, int file, struct result **ret)
{
	CLEANUP(buf_clear) struct buf packed = BUF_UNLIMITED, json = BUF_UNLIMITED;

	if (read_file(file, &packed) || !gzip_unpack(buf_str(&packed), &json))
		return err_set(work->err, ERR_STORE_DAMAGED, "a stored report cannot be unpacked");
	return report_load(buf_str(&json), ret, work->err);
}

static int perform_render(struct work *work)
{
	const struct request *request = &work->asked.request;
	struct result *result;
	int status = work->shut_in(work->service, work->err);

	if (!status)
		status = load_report(work, work->files[JOB_INPUT], &result);
	if (status)
		return status;
	if (str_eq(work->asked.form, STR("page")))
		page_put_assessment(request, result, &work->body);
	else
		render_report(renderer_find(work->asked.form), result,
			&(struct render_options){ .lang = request->lang }, &work->body);
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

void job_perform(const struct service *service, enum job_kind kind, const int *files, struct buf *outcome,
	int (*shut_in)(const struct service *service, struct err *err))
{
	static int (*const performers[])(struct work *) = {
		[JOB_CHECK] = perform_check, [JOB_RENDER] = perform_render, [JOB_COMPARE] = perform_compare
	};
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED, out = BUF_UNLIMITED;
	struct err err = { 0 };
	struct work work = { .service = service,
		.files = files,
		.shut_in = shut_in,
		.body = BUF_INIT((size_t)service->limits.report_bytes),
		.out = &out,
		.err = &err };

	request_init(&work.asked.request);
	if (kind >= ARRAY_SIZE(performers) || read_file(files[JOB_ASKED], &text) ||
		!take_asked(buf_str(&text), &work.asked))
		err_set(&err, ERR_INTERNAL, "what is asked of a job cannot be read");
	else
		performers[kind](&work);
	buf_clear(&work.body);
	request_clear(&work.asked.request);
	put_field(outcome, (struct str){ (const char *)&err, sizeof(err) });
	if (!err.code)
		buf_add(outcome, buf_str(&out));
}

static int shut_in(const struct service *service, struct err *err)
{
	const struct limits *limits = &service->limits;
	uint64_t file_bytes = limits->spill_bytes > limits->report_bytes ? limits->spill_bytes : limits->report_bytes;

	return sandbox_enter(
		&(struct sandbox){ limits->job_bytes, limits->job_processor_seconds, file_bytes + file_bytes / 2 },
		err);
}

int job_run(const void *ctx, unsigned kind)
{
	struct buf outcome = BUF_UNLIMITED;
	struct err err;

	mem_on_failure(end_without_memory);
	mallopt(M_ARENA_MAX, MOST_ARENAS); /* each reserves addresses, which are counted */
	decoder_prepare();
	job_perform(ctx, kind, spawner_places, &outcome, shut_in);
	return outfile_put(spawner_places[JOB_OUTCOME], buf_str(&outcome), &err) ? EXIT_NO_SPACE : EXIT_SUCCESS;
}
