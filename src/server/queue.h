#pragma once
/*
 * Jobs that wait and jobs that run. At most limits.jobs checks and limits.renderings of reports run at a time, and at
 * most limits.job_queue of either wait; more are refused, so that who sends too much hears of it. A thread waits for
 * processes to end, others keep what came of them; nobody who only reads waits for any.
 */
#include "server/job.h"

struct queue;

/* Starts the threads. What is given must outlive the queue. ERR_INTERNAL. */
int queue_start(const struct service *service, const struct spawner *spawner, struct queue **ret, struct err *err);

/* Adds a job, which the queue holds until it has ended. ERR_BUSY when too many wait. */
int queue_add(struct queue *queue, struct job *job, struct err *err);

/* Refuses further jobs, ends those that wait and run with ERR_BUSY, and waits until all have been woken. Frees. False
   when the spawner had died before, which only a new start of the service mends: SIGTERM was raised then. */
bool queue_stop(struct queue *queue);
