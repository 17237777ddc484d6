#include "server/jobs/job.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/setup/limits.h"
#include "io/outfile.h"
#include "server/jobs/fields.h"

struct job *job_new(enum job_kind kind)
{
	struct job *job = mem_zalloc(sizeof(*job));

	job->kind = kind;
	job->arena = ARENA_INIT(ARENA_UNLIMITED);
	job->outcome = job->asked = BUF_UNLIMITED;
	job->answer_by_ms = -1;
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
	job_release(job->leader);
	upload_free(job->upload);
	buf_clear(&job->outcome);
	buf_clear(&job->asked);
	arena_clear(&job->arena);
	free(job);
}

int job_give(struct job *job, size_t place, struct str bytes, struct err *err)
{
	job->files[place] = memfd_create("opcheckd", MFD_CLOEXEC);
	if (job->files[place] < 0)
		return err_os(err, ERR_STORE, errno, "cannot start a job");
	return outfile_put(job->files[place], bytes, err);
}

int job_equip(struct job *job, struct store *store, struct err *err)
{
	int status = job_give(job, JOB_ASKED, buf_str(&job->asked), err);

	return status ? status : store_scratch(store, &job->files[JOB_OUTCOME], err);
}

/* --- what came of it */

void job_over_limit(struct err *err, const char *what, uint64_t most, const char *unit, const char *limit)
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
		job_over_limit(err, "time", limits->job_seconds, "seconds", "job-seconds");
	else if (number == SIGXCPU)
		job_over_limit(
			err, "processor time", limits->job_processor_seconds, "seconds", "job-processor-seconds");
	else if (code == EXIT_NO_MEMORY)
		job_over_limit(err, "memory", limits->job_bytes, "bytes", "job-bytes");
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

	if (!field_take(rest, &bytes) || bytes.len != sizeof(*ret))
		return false;
	memcpy(ret, bytes.ptr, sizeof(*ret));
	ret->where[sizeof(ret->where) - 1] = ret->text[sizeof(ret->text) - 1] = '\0';
	ret->hint[sizeof(ret->hint) - 1] = '\0';
	return !ret->code || err_name(ret->code);
}

static bool take_share(struct str *rest, int64_t *ret_ppm)
{
	uint64_t number;
	bool whole = field_take_number(rest, &number);

	*ret_ppm = whole ? (int64_t)number : 0;
	return whole;
}

/* How many there are comes first; what is left has more bytes than that. */
static bool take_verdicts(struct job *job, struct str *rest)
{
	uint64_t count;

	if (!field_take_number(rest, &count) || count > rest->len)
		return false;
	job->record.verdicts = arena_alloc(&job->arena, (count + 1) * sizeof(job->record.verdicts[0]));
	for (job->record.verdict_count = 0; job->record.verdict_count < count; job->record.verdict_count++) {
		struct stored_verdict *verdict = &job->record.verdicts[job->record.verdict_count];

		if (!field_take(rest, &verdict->target) || !field_take(rest, &verdict->verdict) ||
			!field_take(rest, &verdict->gate) || !take_share(rest, &verdict->readiness_lo_ppm) ||
			!take_share(rest, &verdict->readiness_hi_ppm))
			return false;
	}
	return true;
}

static bool take_blockers(struct job *job, struct str *rest)
{
	uint64_t count;

	if (!field_take_number(rest, &count) || count > rest->len)
		return false;
	job->run.blockers = arena_alloc(&job->arena, (count + 1) * sizeof(job->run.blockers[0]));
	for (job->run.blocker_count = 0; job->run.blocker_count < count; job->run.blocker_count++) {
		struct stored_blocker *blocker = &job->run.blockers[job->run.blocker_count];

		if (!field_take(rest, &blocker->target) || !field_take(rest, &blocker->op) ||
			!field_take(rest, &blocker->status) || !take_share(rest, &blocker->share_ppm))
			return false;
	}
	return true;
}

static bool take_used(struct job *job, struct str *rest)
{
	uint64_t count;

	if (!field_take_number(rest, &count) || count > rest->len)
		return false;
	job->run.used = arena_alloc(&job->arena, (count + 1) * sizeof(job->run.used[0]));
	for (job->run.used_count = 0; job->run.used_count < count; job->run.used_count++) {
		if (!field_take(rest, &job->run.used[job->run.used_count]))
			return false;
	}
	return true;
}

/* The document; then, of a check, the verdicts, what blocks and what is used. */
static bool take_outcome(struct job *job, struct str rest)
{
	bool whole = field_take(&rest, &job->document.packed) && field_take_number(&rest, &job->document.bytes);

	if (whole && job->kind == JOB_CHECK)
		whole = take_verdicts(job, &rest) && take_blockers(job, &rest) && take_used(job, &rest);
	return whole && !rest.len;
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
	else if (!field_read_file(job->files[JOB_OUTCOME], &job->outcome))
		err_set(&job->err, ERR_STORE, "cannot read what came of the work");
	else
		job_read_outcome(job);
}
