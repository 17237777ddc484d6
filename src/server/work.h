#pragma once
/*
 * The work of a job, in its process: the other end of server/job.h. It gets the parameters of the request and reads
 * them as the service did, so nothing is described twice.
 */
#include "server/job.h"

/* Does the job with its descriptors in their places; for struct spawner_work. ctx: the service. */
int work_run(const void *ctx, unsigned kind);

/* Does it with these descriptors and appends the outcome; shut_in comes between opening what the service has and
   reading what a client sent. The dump of a check is standard input. */
void work_perform(const struct service *service, enum job_kind kind, const int *files, struct buf *outcome,
	int (*shut_in)(const struct service *service, struct err *err));

/* Reads what job_equip wrote down: the parameters of the request. False when it is nothing of that kind. */
bool work_read_asked(struct str asked, struct request *ret);
