#include "server/jobs/job.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/setup/limits.h"
#include "io/outfile.h"
#include "server/jobs/outcome.h"

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

void job_set_owner(struct job *job, struct str project, struct str caller)
{
	job->owner = project.len ? arena_printf(&job->arena, "project %.*s", STR_ARG(project))
				 : arena_keep(&job->arena, caller);
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

/* --- the outcome */

bool job_read_file(int fd, struct buf *ret)
{
	struct stat info;
	char *space;
	ssize_t len;

	if (fstat(fd, &info))
		return false;
	space = mem_resize(NULL, (size_t)info.st_size, 1);
	len = pread(fd, space, (size_t)info.st_size, 0);
	buf_add(ret, (struct str){ space, len > 0 ? (size_t)len : 0 });
	free(space);
	return len == info.st_size;
}

void job_over_limit(struct err *err, const char *what, uint64_t most, const char *unit, const char *limit)
{
	err_set(err, ERR_LIMIT, "the job exceeds %llu %s of %s", (unsigned long long)most, unit, what);
	err_hint(err, "profile fewer steps, or ask the operator of the service to raise the limit %s", limit);
}

/* Explain the end of a process that wrote no outcome. */
static void explain_end(struct job *job, const struct limits *limits, const struct spawn_end *end)
{
	struct err *err = &job->err;
	int code = WIFEXITED(end->status) ? WEXITSTATUS(end->status) : -1;
	int number = WIFSIGNALED(end->status) ? WTERMSIG(end->status) : 0;

	if (end->never)
		err_set(err, ERR_BUSY, "the system allows no further process");
	else if (end->late)
		job_over_limit(err, "time", limits->job_seconds, "seconds", "job-seconds");
	else if (number == SIGXCPU)
		job_over_limit(
			err, "processor time", limits->job_processor_seconds, "seconds", "job-processor-seconds");
	else if (code == EXIT_NO_MEMORY && job->upload)
		job_over_limit(err, "memory", limits->job_bytes, "bytes", "job-bytes");
	else if (code == EXIT_NO_MEMORY)
		job_over_limit(err, "memory", limits->rendering_bytes, "bytes", "rendering-bytes");
	else if (code == EXIT_NO_SPACE)
		err_set(err, ERR_STORE_FULL, "no space left for the result of the job");
	else if (number)
		err_set(err, ERR_JOB, "the worker ended by signal %d", number);
	else
		err_set(err, ERR_JOB, "the worker ended with status %d", code);
}

void job_read_outcome(struct job *job)
{
	struct outcome outcome;

	if (!outcome_read(buf_str(&job->outcome), &job->arena, &outcome, &job->err)) {
		err_set(&job->err, ERR_JOB, "the worker exited without a result");
		return;
	}
	job->document.packed = outcome.packed;
	job->document.bytes = outcome.bytes;
	if (job->kind != JOB_CHECK)
		return;
	job->record.verdicts = outcome.verdicts;
	job->record.verdict_count = outcome.verdict_count;
	job->record.basis = outcome.basis;
	job->record.shown_ppm = outcome.shown_ppm;
	job->run.blockers = outcome.blockers;
	job->run.blocker_count = outcome.blocker_count;
	job->run.used = outcome.used;
	job->run.used_count = outcome.used_count;
}

void job_collect(struct job *job, const struct limits *limits, const struct spawn_end *end)
{
	if (end->never || end->late || end->status)
		explain_end(job, limits, end);
	else if (!job_read_file(job->files[JOB_OUTCOME], &job->outcome))
		err_set(&job->err, ERR_STORE, "cannot read the result of the job");
	else
		job_read_outcome(job);
}
