#include "server/service/ticketing.h"

#include "server/jobs/log.h"
#include "server/jobs/queue.h"
#include "server/service/find.h"
#include "server/service/service.h"
#include "store/work.h"

/* Without an outcome: the job may end at any time. */
static struct ticket ticket_of(const struct job *job)
{
	return (struct ticket){ .id = str_from(job->ticket),
		.assessment = job->record.id,
		.input_sha256 = job->record.input_sha256,
		.project = job->run.project,
		.owner = job->owner,
		.asked = buf_str(&job->asked) };
}

enum { OK = 200, CREATED = 201, ACCEPTED = 202 };

/* The key is answered with the ticket. */
static struct ticket keyed_ticket(const struct job *job)
{
	struct ticket ticket = ticket_of(job);

	ticket.key = job->key;
	ticket.key.status = ACCEPTED;
	ticket.key.answer = ticket.id;
	return ticket;
}

int ticket_keep(const struct service *service, struct job *job, struct err *err)
{
	struct ticket ticket = keyed_ticket(job);
	struct lease lease = service_lease(service);

	return store_keep_ticket(service->store, &ticket, job->upload, &lease, err);
}

bool ticket_waits(const struct err *err)
{
	enum { EXIT_DATABASE = 4 };

	return err->code == ERR_BUSY || err->code == ERR_STORE || err->code == ERR_STORE_FULL ||
	       err_exit_status(err->code) == EXIT_DATABASE;
}

/* A client that waits hears of the error at once. */
void ticket_end(const struct service *service, const struct job *job)
{
	enum { TRY_AGAIN_SECONDS = 60, BUSY_SECONDS = 1 };
	struct ticket ticket = ticket_of(job);
	uint64_t pause = job->err.code == ERR_BUSY ? BUSY_SECONDS : TRY_AGAIN_SECONDS;
	struct lease lease = { service->replica ? str_from(service->holder) : STR(""),
		.until = service_lease(service).now + pause };
	struct err err;
	int status;

	ticket.status = job->err.code ? STR("failed") : STR("succeeded");
	ticket.err = job->err;
	status = ticket_waits(&job->err) && !job->awaited
			 ? store_return_ticket(service->store, ticket.id, &lease, &err)
			 : store_end_ticket(service->store, &ticket, lease.holder, &err);

	if (status < 0)
		log_error(job->ticket, &err);
}

void ticket_claim(const struct service *service, struct job *job)
{
	struct run_claim *claim = &job->run.claim;

	*claim = (struct run_claim){ .status = OK, .status_new = CREATED };
	if (job->ticketed) {
		claim->ticket = str_from(job->ticket);
		claim->holder = service->replica ? str_from(service->holder) : STR("");
	} else {
		claim->holder = job->key.holder;
		claim->owner = job->key.owner;
		claim->key = job->key.key;
	}
}

/* --- where services share their jobs */

int ticket_hand_over(const struct service *service, struct job *job, struct err *err)
{
	struct work_entry entry = { .ticket = keyed_ticket(job),
		.name = job->record.name,
		.owner = job->owner,
		.caller = job->caller,
		.facts = job->record.db_sha256,
		.input_bytes = job->record.input_bytes,
		.awaited = job->wake && !job->ticket_first };
	struct work_count count;
	int status = store_count_work(service->store, job->caller, &count, err);

	if (!status)
		status = queue_check(service->limits, job, count.waiting, count.of_caller, err);
	return status ? status : store_add_work(service->store, &entry, job->upload, err);
}

int ticket_take(const struct service *service, struct job *job, struct err *err)
{
	struct ticket ticket = { .id = str_from(job->ticket) };
	struct id_like like = { .max = 1 };
	struct run run;
	int status = store_find_ticket(service->store, &ticket, &job->arena, err);

	if (status == 1 && ticket.err.code) {
		*err = ticket.err;
		return -err->code;
	}
	like.begin = ticket.run;
	if (status == 1 && !ticket.run.len)
		return err_set(err, ERR_BUSY, "the job was cancelled");
	if (status == 1)
		status = store_find_runs(service->store, &like, &job->arena, &run, err);
	if (status != 1)
		return status < 0 ? status : no_such(err, "run");
	run.former = job->run.former;
	job->run = run;
	job->record = run.record;
	job->is_new = ticket.answer == CREATED;
	if (job->is_new) /* to the project: another one's may be older */
		job->record.created_at = run.created_at;
	return 0;
}

int ticket_acknowledge(const struct service *service, struct job *job, struct err *err)
{
	int status = store_acknowledge_work(service->store, str_from(job->ticket), ACCEPTED, err);

	return status == 1 ? 0 : status < 0 ? status : -ERR_BUSY; /* over: its client hears of that at once */
}

void ticket_withdraw(const struct service *service, const struct job *job)
{
	struct ticket ticket = ticket_of(job);
	struct err err;

	ticket.status = STR("cancelled");
	if (store_end_ticket(service->store, &ticket, STR(""), &err) < 0)
		log_error(job->ticket, &err);
}
