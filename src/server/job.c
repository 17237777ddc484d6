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
#include "io/outfile.h"
#include "server/answer.h"
#include "server/sandbox.h"
#include "server/submission.h"

enum { INPUT, ASKED, OUTCOME };
enum { EXIT_NO_MEMORY = 3, EXIT_NO_SPACE = 4, EXIT_NOT_SHUT_IN = 5 };
enum { MOST_ARENAS = 2, KIB = 1024 };

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

/* The record that it is about, the name of a form's file, and the parameters. */
static void put_asked(struct buf *out, const struct job *job, const struct request *request)
{
	char bytes[24];

	snprintf(bytes, sizeof(bytes), "%llu", (unsigned long long)job->record.input_bytes);
	put_field(out, job->record.id);
	put_field(out, job->record.input_sha256);
	put_field(out, str_from(bytes));
	put_field(out, request->file_name);
	for (size_t i = 0; i < request->parameters.count; i++) {
		put_field(out, request->parameters.items[i].name);
		put_field(out, request->parameters.items[i].value);
	}
}

int job_equip(struct job *job, const struct service *service, const struct request *request, int input, struct err *err)
{
	CLEANUP(buf_clear) struct buf asked = BUF_UNLIMITED;

	job->files[INPUT] = input;
	put_asked(&asked, job, request);
	job->files[ASKED] = memfd_create("asked", MFD_CLOEXEC);
	if (job->files[ASKED] < 0)
		return err_os(err, ERR_STORE, errno, "cannot start a job");
	return store_scratch(service->store, &job->files[OUTCOME], err) ||
			       outfile_put(job->files[ASKED], buf_str(&asked), err)
		       ? -err->code
		       : 0;
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

static bool take_check(struct job *job, struct str rest)
{
	MEM_LIST(struct record_verdict) found = { 0 };
	struct record_verdict verdict;
	bool whole = take_field(&rest, &job->report);

	while (whole && rest.len) {
		whole = take_field(&rest, &verdict.target) && take_field(&rest, &verdict.verdict) &&
			take_field(&rest, &verdict.gate);
		if (whole)
			MEM_PUSH(&found, verdict);
	}
	job->record.verdicts = arena_alloc(&job->arena, (found.count + 1) * sizeof(found.items[0]));
	if (found.count)
		memcpy(job->record.verdicts, found.items, found.count * sizeof(found.items[0]));
	job->record.verdict_count = found.count;
	free(found.items);
	return whole;
}

void job_collect(struct job *job, const struct limits *limits, const struct spawn_end *end)
{
	struct str rest;

	if (end->never || end->late || end->status) {
		settle_end(&job->err, limits, end);
		return;
	}
	if (read_file(job->files[OUTCOME], &job->outcome)) {
		err_set(&job->err, ERR_STORE, "cannot read what came of the work");
		return;
	}
	rest = buf_str(&job->outcome);
	if (!take_err(&rest, &job->err) || (!job->err.code && !take_check(job, rest)))
		err_set(&job->err, ERR_JOB, "the process that did the work wrote no outcome");
}

/* --- in the process */

struct asked {
	struct request request;
	struct str id, sha256;
	uint64_t bytes;
};

static bool take_asked(struct str rest, struct asked *ret)
{
	struct str bytes, name, value;
	bool whole = take_field(&rest, &ret->id) && take_field(&rest, &ret->sha256) && take_field(&rest, &bytes) &&
		     take_field(&rest, &ret->request.file_name) && decimal_unsigned(bytes, &ret->bytes);

	while (whole && rest.len) {
		whole = take_field(&rest, &name) && take_field(&rest, &value);
		if (whole)
			request_add(&ret->request, name, value);
	}
	return whole;
}

static int perform_check(const struct service *service, struct asked *asked, struct buf *out,
	int (*shut_in)(const struct service *service, struct err *err), struct err *err)
{
	CLEANUP(buf_clear) struct buf report = BUF_INIT((size_t)service->limits.report_bytes);
	struct submission submission;
	struct settlement settlement = { &submission, NULL, &service->limits, &asked->request.arena };
	const struct record *record = &settlement.record;
	struct opdb *db = NULL;
	int status = submission_read(&asked->request, &submission, err);

	submission.input_sha256 = asked->sha256;
	submission.input_bytes = asked->bytes;
	if (!status)
		status = answer_open_db(service, &db, err);
	settlement.db = db;
	if (!status)
		status = submission_settle(&settlement, err);
	if (!status && !str_eq(record->id, asked->id))
		status = err_set(err, ERR_BUSY, "the support database was changed meanwhile; send the dump again");
	if (!status)
		status = shut_in(service, err);
	if (!status)
		status = submission_check(&settlement, "-", &report, err);
	if (!status && report.full) {
		fail_over(err, "report", service->limits.report_bytes, "bytes", "report-bytes");
		status = -err->code;
	}
	put_field(out, buf_str(&report));
	for (size_t i = 0; i < record->verdict_count && !status; i++) {
		put_field(out, record->verdicts[i].target);
		put_field(out, record->verdicts[i].verdict);
		put_field(out, record->verdicts[i].gate);
	}
	opdb_close(db);
	return status;
}

void job_perform(const struct service *service, enum job_kind kind, struct str text, struct buf *outcome,
	int (*shut_in)(const struct service *service, struct err *err))
{
	CLEANUP(buf_clear) struct buf body = BUF_UNLIMITED;
	struct asked asked = { .id = STR("") };
	struct err err = { 0 };

	(void)kind;
	request_init(&asked.request);
	if (!take_asked(text, &asked))
		err_set(&err, ERR_INTERNAL, "what is asked of a job cannot be read");
	else
		perform_check(service, &asked, &body, shut_in, &err);
	request_clear(&asked.request);
	put_field(outcome, (struct str){ (const char *)&err, sizeof(err) });
	buf_add(outcome, buf_str(&body));
}

static int shut_in(const struct service *service, struct err *err)
{
	const struct limits *limits = &service->limits;
	uint64_t file_bytes = limits->spill_bytes > limits->report_bytes ? limits->spill_bytes : limits->report_bytes;

	return sandbox_enter(
		&(struct sandbox){ limits->job_bytes, limits->job_processor_seconds, file_bytes + file_bytes / 2 },
		err);
}

static void end_without_memory(void)
{
	_exit(EXIT_NO_MEMORY);
}

int job_run(const void *ctx, unsigned kind)
{
	struct buf asked = BUF_UNLIMITED, outcome = BUF_UNLIMITED;
	struct err err;

	mem_on_failure(end_without_memory);
	mallopt(M_ARENA_MAX, MOST_ARENAS); /* each reserves addresses, which are counted */
	decoder_prepare();
	if (read_file(spawner_places[ASKED], &asked))
		return EXIT_NO_SPACE;
	job_perform(ctx, kind, buf_str(&asked), &outcome, shut_in);
	return outfile_put(spawner_places[OUTCOME], buf_str(&outcome), &err) ? EXIT_NO_SPACE : EXIT_SUCCESS;
}
