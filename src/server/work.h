#pragma once
/* The work of a job, in its process: the other end of server/jobs/job.h. */
#include "server/jobs/job.h"
#include "server/service/service.h"

/* Does the job with its descriptors in their places; for struct spawner_work. ctx: the service. */
int work_run(const void *ctx, unsigned kind);

/* Does it with these descriptors and appends the outcome; shut_in comes between opening what the service has and
   reading what a client sent. The dump of a check is standard input. */
void work_perform(const struct service *service, enum job_kind kind, const int *files, struct buf *outcome,
	int (*shut_in)(const struct service *service, struct err *err));
