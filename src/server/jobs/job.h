#pragma once
/* A job: work in a process of its own (spawner.h). Here is the service's end of it: the message that the process is
   given, and its outcome. */
#include <stdatomic.h>

#include "base/setup/limits.h"
#include "server/jobs/spawner.h"
#include "store/request_key.h"
#include "store/run.h"

struct service;
enum job_kind {
	JOB_CHECK,   /* of a dump: gives its report and the verdicts */
	JOB_RENDER,  /* of a report: gives the form that is asked */
	JOB_COMPARE, /* of two reports: gives what changed */
	JOB_ANSWER,  /* of a dump: gives its advice or buckets */
};

/* The descriptors of a job; the last one: the second report of a comparison, or the baseline of a check. */
enum { JOB_INPUT, JOB_ASKED, JOB_OUTCOME, JOB_OTHER, JOB_TICKET_BYTES = 17 };

struct job {
	enum job_kind kind;
	atomic_uint holders; /* job_release frees the last one's */
	struct arena arena;
	int files[SPAWNER_FILES]; /* -1: none */
	struct str form; /* that is asked of a report: the name of a renderer, "page"; of a dump: "advice.json" */
	struct stored_assessment record; /* the assessment that it is about */
	struct run run;                  /* of a check: the submit; its blockers are in the outcome */
	struct upload *upload;           /* the dump of a check */
	struct buf outcome, asked;       /* written by the process; given to it */
	struct stored_document document; /* in the outcome: the report, or what was rendered */
	struct stored_document waivers;  /* that came with the dump, as fields; bytes 0: none */
	bool is_new;                     /* the assessment was not there before */
	struct err err;                  /* code 0: it succeeded */
	struct request_key key;          /* that its run or its ticket answers; owner "": none */
	struct str caller,
		owner; /* of at most caller_jobs jobs, "": not counted; takes turns: its project, else its caller */
	/* A check may be acknowledged before it is done: its ticket is kept then, and ended when the work is. */
	char ticket[JOB_TICKET_BYTES];
	int64_t answer_by_ms; /* of the monotonic clock; -1: the client waits as long as it takes */
	/* Where services share jobs: lets any of them do it; `keep` takes the result then. NULL: it is done here. */
	int (*hand_over)(const struct service *service, struct job *job, struct err *err);
	int (*keep_ticket)(const struct service *service, struct job *job, struct err *err);
	void (*end_ticket)(const struct service *service, const struct job *job);
	atomic_bool over;      /* err is final, and the outcome is stored */
	atomic_bool abandoned; /* cancelled, as its client has left */
	bool ticket_first;     /* it does not start before it has its ticket: the client does not wait at all */
	bool awaited;          /* a client of another service waits for it */
	bool ticketed, ticketing, cancelled, followed; /* of the queue; followed: others wait for it, too */
	/* Keeps what came of it, in a thread of the queue; an error is the job's for a check. May be NULL. */
	int (*keep)(const struct service *service, struct job *job, struct err *err);
	/* Called once at most, by a thread of the queue, when the job is over or has its ticket. NULL: no client. */
	void (*wake)(void *ctx);
	void *wake_ctx;
	bool (*has_left)(const void *ctx);             /* whether the client has closed its connection; NULL: unknown */
	struct job *leader;                            /* held: it does the work of this one, too */
	struct job *followers, *next, *next_rendering; /* of the queue, as is the number */
	uint64_t number, caller_jobs, attempts, started; /* started: number of jobs before it was added */
};

/* A job without files, held once. Let it take turns as one of the project, else of the caller. */
struct job *job_new(enum job_kind kind);
void job_set_owner(struct job *job, struct str project, struct str caller);
void job_hold(struct job *job);
void job_release(struct job *job);
/* Gives the job its other files: job->asked, and room for the outcome; and these bytes as one of its files. Errors are
   of the store. */
int job_equip(struct job *job, struct store *store, struct err *err);
int job_give(struct job *job, size_t place, struct str bytes, struct err *err);

/* Append a whole file, whatever its position; false when it cannot be read. Take the end of the process into job->err,
   and its outcome; the outcome alone. */
bool job_read_file(int fd, struct buf *ret);
void job_collect(struct job *job, const struct limits *limits, const struct spawn_end *end);
void job_read_outcome(struct job *job);
enum { EXIT_NO_MEMORY = 3, EXIT_NO_SPACE = 4 }; /* exit status of a process that cannot write an outcome */

/* ERR_LIMIT: what is over `most` units; limit is the name of the setting. */
void job_over_limit(struct err *err, const char *what, uint64_t most, const char *unit, const char *limit);
