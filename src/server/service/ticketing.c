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
	enum { ACCEPTED = 202 };
	struct ticket ticket = ticket_of(job);
	struct lease lease = service_lease(service);

	ticket.key = job->key;
	ticket.key.status = ACCEPTED;
	ticket.key.answer = ticket.id;
	return store_keep_ticket(service->store, &ticket, job->upload, &lease, err);
}

bool ticket_waits(const struct err *err)
{
	enum { EXIT_DATABASE = 4 };

	return err->code == ERR_BUSY || err->code == ERR_STORE || err->code == ERR_STORE_FULL ||
	       err_exit_status(err->code) == EXIT_DATABASE;
}

void ticket_end(const struct service *service, const struct job *job)
{
	enum { TRY_AGAIN_SECONDS = 60 };
	struct ticket ticket = ticket_of(job);
	uint64_t later = service_lease(service).now + TRY_AGAIN_SECONDS;
	struct err err;
	int status = ticket_waits(&job->err) ? store_return_ticket(service->store, ticket.id, later, &err)
					     : store_end_ticket(service->store, &ticket, &err);

	if (status)
		log_error(job->ticket, &err);
}

void ticket_claim(struct job *job)
{
	enum { OK = 200, CREATED = 201 };
	struct run_claim *claim = &job->run.claim;

	*claim = (struct run_claim){ .status = OK, .status_new = CREATED };
	if (job->ticketed) {
		claim->ticket = str_from(job->ticket);
	} else {
		claim->owner = job->key.owner;
		claim->key = job->key.key;
	}
}
