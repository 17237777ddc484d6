#pragma once
/* The tickets of jobs that were acknowledged before they were done; the API calls them jobs. */
#include "server/http/reply.h"

enum { STATUS_ACCEPTED = 202 };

/* Answers 202 with the ticket of request->job, whose answer follows later. */
int answer_accepted(const struct service *service, struct request *request, struct reply *reply, struct err *err);
