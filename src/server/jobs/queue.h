#pragma once
/*
 * Jobs that wait and jobs that run. At most limits.jobs that read dumps, one more of a small dump (turn.h) and
 * limits.renderings of reports run at a time, and at most limits.job_queue of either wait; more are refused. A job
 * whose only client has left is ended, unless it was acknowledged. A thread waits for processes to end, others store
 * their outcomes, one gives tickets in time; requests that only read wait for none of them.
 */
#include "server/jobs/job.h"

struct queue;

struct queue_setup {
	const struct service *service; /* for functions of jobs */
	const struct limits *const _Atomic *limits;
	const struct spawner *spawner;
	void (*freed)(const struct service *service); /* called when a job has ended, and another one may start */
};

/* Starts the threads. The arguments must outlive the queue. ERR_INTERNAL. */
int queue_start(const struct queue_setup *setup, struct queue **ret, struct err *err);

/* Returns whether the same is being rendered already: then the job needs no files, and ends as that one does.
   queue NULL: no other jobs, false. */
bool queue_follow(struct queue *queue, struct job *job);

/* Adds a job, which the queue holds until it has ended. ERR_BUSY when too many wait, ERR_RATE when its owner has too
   many. */
int queue_add(struct queue *queue, struct job *job, struct err *err);

/* Refuses further jobs, ends those that wait and run with ERR_BUSY, and waits until all have been woken. False
   when the spawner had died before, which only a new start of the service mends: SIGTERM was raised then. */
bool queue_stop(struct queue *queue);

/* Free one that was stopped and is no longer used. NULL is allowed. */
void queue_free(struct queue *queue);

/* ERR_BUSY or ERR_RATE when this many wait, or the job's caller has that many. */
int queue_check(
	const struct limits *limits, const struct job *job, uint64_t waiting, uint64_t of_caller, struct err *err);

/* --- for the sources of the queue alone; hold the lock */

struct lane;

/* The jobs of a lane that run or are about to, as an array for free(). */
struct turn_job;
struct turn_job *queue_running(const struct lane *lane, size_t *ret_count);

/* End a job that waits or runs, of which nothing is kept; text: the error. */
void queue_cancel_job(struct queue *queue, struct job *job, const char *text);
