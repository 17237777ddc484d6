#pragma once
/* The tickets of jobs that were acknowledged before they were done. */
#include "server/jobs/job.h"
#include "server/service/service.h"
#include "store/ticket.h"

/* Returns whether an error lies in the service and passes: the work can be done later. */
bool ticket_waits(const struct err *err);

/* For struct job: keeps its ticket, and ends it when the job is over, unless it waits. */
int ticket_keep(const struct service *service, struct job *job, struct err *err);
void ticket_end(const struct service *service, const struct job *job);

/* Let the run of a job answer its key, or end its ticket when it has one, in its own transaction. */
void ticket_claim(struct job *job);
