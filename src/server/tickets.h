#pragma once
/* The tickets of jobs that were acknowledged before they were done; the API calls them jobs. */
#include "server/job.h"
#include "store/ticket.h"

enum { STATUS_ACCEPTED = 202 };

/* For struct job: keeps its ticket, and ends it when the job is over. */
int ticket_keep(const struct service *service, struct job *job, struct err *err);
void ticket_end(const struct service *service, const struct job *job);

/* Answers 202 with the ticket of request->job, whose answer follows later. */
int answer_accepted(const struct service *service, struct request *request, struct reply *reply, struct err *err);
