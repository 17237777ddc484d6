#pragma once
/* The tickets of jobs that were acknowledged before they were done. */
#include "server/jobs/job.h"
#include "server/service/service.h"
#include "store/ticket.h"

/* For struct job: keeps its ticket, and ends it when the job is over. */
int ticket_keep(const struct service *service, struct job *job, struct err *err);
void ticket_end(const struct service *service, const struct job *job);
