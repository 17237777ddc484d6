#include "server/service/ticketing.h"

#include "server/jobs/log.h"
#include "server/service/lease.h"

static struct ticket ticket_of(const struct job *job)
{
	return (struct ticket){ .id = str_from(job->ticket),
		.status = job->err.code ? STR("failed") : STR("succeeded"),
		.assessment = job->record.id,
		.input_sha256 = job->record.input_sha256,
		.project = job->run.project,
		.asked = buf_str(&job->asked),
		.err = job->err };
}

int ticket_keep(const struct service *service, struct job *job, struct err *err)
{
	struct ticket ticket = ticket_of(job);
	struct lease lease = service_lease(service);

	return store_keep_ticket(service->store, &ticket, job->upload, &lease, err);
}

void ticket_end(const struct service *service, const struct job *job)
{
	struct ticket ticket = ticket_of(job);
	struct err err;

	if (store_end_ticket(service->store, &ticket, &err))
		log_error(job->ticket, &err);
}
