#pragma once
/* Submits over more than one request: the tickets of jobs that were acknowledged before they were done (the API calls
   them jobs), and requests that are sent again. */
#include "server/job.h"
#include "store/ticket.h"

enum { STATUS_ACCEPTED = 202 };

/* For struct job: keeps its ticket, and ends it when the job is over. */
int ticket_keep(const struct service *service, struct job *job, struct err *err);
void ticket_end(const struct service *service, const struct job *job);

/* Answers 202 with the ticket of request->job, whose answer follows later. */
int answer_accepted(const struct service *service, struct request *request, struct reply *reply, struct err *err);

/* --- repeat.c: sent again within a day, a request with an Idempotency-Key is answered as the first one was */

/* For a request whose dump is there. 0: it is to be answered, and repeat_end called; 1: it was answered before, with
   key.status about key.answer. ERR_VALUE, ERR_KEY_BUSY, ERR_KEY_OTHER, or what the store says. */
int repeat_begin(const struct service *service, struct request *request, struct err *err);

/* How it was answered; status 0: not at all, and it may be sent again. Nothing for a request without a key. */
void repeat_end(const struct service *service, struct request *request, unsigned status);
