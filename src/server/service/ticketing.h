#pragma once
/* The tickets of jobs that were acknowledged before they were done. */
#include "server/jobs/job.h"
#include "server/service/service.h"

/* Returns whether an error lies in the service and passes: the work can be done later. */
bool ticket_waits(const struct err *err);

/* For struct job: keeps its ticket, and ends it when the job is over, unless it waits. */
int ticket_keep(const struct service *service, struct job *job, struct err *err);
void ticket_end(const struct service *service, const struct job *job);

/* Let the run of a job answer its key, or end its ticket when it has one, in its own transaction. */
void ticket_claim(const struct service *service, struct job *job);

/* For struct job where services share their jobs: hand it over, take the result, acknowledge and withdraw it. */
int ticket_hand_over(const struct service *service, struct job *job, struct err *err);
int ticket_take(const struct service *service, struct job *job, struct err *err);
int ticket_acknowledge(const struct service *service, struct job *job, struct err *err);
void ticket_withdraw(const struct service *service, const struct job *job);
