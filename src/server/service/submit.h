#pragma once
/* Submitting dumps: a submit becomes an assessment, at once if it is stored already, else by a job. */
#include "server/jobs/job.h"
#include "server/service/service.h"
#include "server/service/submission.h"

struct submit {
	struct submission submission;
	struct upload *upload; /* the dump, which the job takes */
	struct str project;    /* that the client is limited to; "": none */
	struct str former;     /* id of the assessment that is re-judged; ptr NULL: none */
	struct str ticket;     /* id of the ticket, should the client not wait */
};

/* Completes the submission with what the service knows and resolves it: job->record and job->run are what it will be.
   The errors of find_assessment for a baseline, run_check_words and submission_resolve. */
int submit_resolve(const struct service *service, struct submit *submit, struct job *job, struct err *err);

/* Adds a run of an assessment that exists, or that is the former one: 1, and job->is_new says whether it is new to the
   project. 0: the job is ready for the queue. */
int submit_start(const struct service *service, struct submit *submit, struct job *job, struct err *err);
