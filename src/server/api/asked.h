#pragma once
/* What a job is asked: the assessment that it is about, and what of the request decides what comes out. */
#include "server/http/request.h"
#include "server/jobs/job.h"

struct asked {
	struct request request;
	struct str id, sha256, form;
	uint64_t bytes;
};

/* Gives the job what the request asks of it, and room for the outcome. Errors are of the store. */
int job_ask(struct job *job, struct store *store, const struct request *request, struct err *err);

/* Reads job->asked; ret->request was initialised. False when it is nothing of that kind. */
bool asked_read(struct str text, struct asked *ret);
