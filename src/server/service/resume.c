#include "server/service/resume.h"

#include <stdio.h>

#include "server/jobs/queue.h"
#include "server/service/service.h"
#include "server/service/order.h"
#include "server/service/submit.h"
#include "server/service/ticketing.h"
#include "store/upload.h"

/* The same submit against the database as it is now: 0 when it is queued, 1 when its assessment exists. */
static int resume_submit(const struct service *service, const struct ticket *ticket, struct job *job, struct err *err)
{
	struct submit submit = { .project = ticket->project, .ticket = ticket->id };
	struct order order;
	int status = order_read(ticket->asked, &job->arena, &order, err);

	submit.submission = order.submission;
	submit.submission.project = ticket->project;
	if (!status)
		status = upload_of_dump(service->store, ticket->input_sha256, &submit.upload, err);
	if (!status)
		status = submit_resolve(service, &submit, job, err);
	snprintf(job->ticket, sizeof(job->ticket), "%.*s", STR_ARG(ticket->id));
	job->ticketed = true;
	if (!status)
		status = submit_start(service, &submit, job, err);
	job->owner = arena_keep(&job->arena, ticket->owner);
	if (!status)
		status = queue_add(service->queue, job, err);
	upload_free(submit.upload);
	return status;
}

int submit_again(const struct service *service, const struct ticket *ticket, struct err *err)
{
	struct job *job = job_new(JOB_CHECK);
	int status;

	job->awaited = ticket->awaited;
	if (ticket->attempts > service->limits->job_attempts)
		status = err_set(&job->err, ERR_JOB, "%llu services ended while they did the job",
			(unsigned long long)ticket->attempts - 1);
	else
		status = resume_submit(service, ticket, job, &job->err);
	if (status) {
		snprintf(job->ticket, sizeof(job->ticket), "%.*s", STR_ARG(ticket->id));
		ticket_end(service, job);
	}
	*err = job->err;
	job_release(job);
	return status;
}

int submits_resume(const struct service *service, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct lease lease = service_lease(service);
	struct ticket ticket;
	bool waits = false;
	int found = 0;

	while (!waits && (found = store_take_ticket(service->store, &lease, &arena, &ticket, err)) == 1) {
		struct err reason;

		waits = submit_again(service, &ticket, &reason) < 0 && ticket_waits(&reason);
	}
	return found < 0 ? found : 0;
}
