#include "server/api/tickets.h"

#include <stdio.h>

#include "base/memory/mem.h"
#include "server/api/handlers.h"
#include "server/api/job_json.h"
#include "server/http/access.h"
#include "server/http/answer.h"
#include "server/http/header.h"
#include "server/http/negotiate.h"
#include "server/http/streams.h"
#include "server/jobs/queue_look.h"
#include "server/service/find.h"
#include "store/ticket.h"

static void put_ticket(const struct service *service, enum lang lang, struct jsonw json, const struct ticket *ticket)
{
	struct queue_look look = queue_look(service->queue, ticket->id);
	bool runs;

	if (!look.running && ticket->running) /* elsewhere */
		look = (struct queue_look){ true, true, ticket->read_bytes, ticket->input_bytes };
	runs = look.running && str_eq(ticket->status, STR("queued"));

	record_put(&json, &job_record,
		&(struct job_view){
			*ticket, runs ? STR("running") : ticket->status, look.running ? &look : NULL, lang });
}

static int look_up(
	const struct service *service, struct str project, struct arena *arena, struct ticket *ticket, struct err *err)
{
	int status = store_find_ticket(service->store, ticket, arena, err);

	if (status == 1 && project.len && !str_eq(project, ticket->project))
		status = 0;
	return status == 0 ? no_such(err, "job") : status < 0 ? status : 0;
}

static int find_ticket(
	const struct service *service, struct request *request, struct str id, struct ticket *ret, struct err *err)
{
	*ret = (struct ticket){ .id = id };
	return look_up(service, request->caller.project, &request->arena, ret, err);
}

int answer_accepted(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct str id = str_from(request->job->ticket);
	struct ticket ticket;
	int status = find_ticket(service, request, id, &ticket, err);

	if (status)
		return status;
	answer_json(reply, STATUS_ACCEPTED);
	reply_header(reply, "Location", arena_printf(&request->arena, "/api/v1/jobs/%.*s", STR_ARG(id)));
	reply_header(reply, "Retry-After", STR("1"));
	put_ticket(service, request->lang, jsonw_start(&reply->body, 1), &ticket);
	return 0;
}

static bool put_event(const struct stream_topic *topic, struct buf *out)
{
	CLEANUP(buf_clear) struct buf data = BUF_UNLIMITED;
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct ticket ticket = { .id = topic->id };
	bool waits = false;
	struct err err;

	/* when it is removed, or the store fails, the client asks again */
	if (!look_up(topic->service, topic->project, &arena, &ticket, &err)) {
		put_ticket(topic->service, topic->lang, jsonw_start(&data, 0), &ticket);
		waits = str_eq(ticket.status, STR("queued"));
		buf_printf(out, "event: %s\ndata: %.*s\n\n", waits ? "job" : "end", STR_ARG(str_trim(buf_str(&data))));
	}
	return waits;
}

static bool wants_events(const struct request *request)
{
	static const char *const types[] = { MEDIA_JSON, "text/event-stream" };

	return negotiate_type(request->headers[HEADER_ACCEPT], types, ARRAY_SIZE(types)) == 1;
}

int answer_job(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct ticket ticket;
	int status = find_ticket(service, request, request->capture, &ticket, err);

	if (status)
		return status;
	if (service->streams && str_eq(request->method, STR("GET")) && wants_events(request)) {
		reply_start(reply, STATUS_OK, "text/event-stream");
		reply_header(reply, "Cache-Control", STR("no-store"));
		reply_header(reply, "X-Accel-Buffering", STR("no")); /* nginx passes each event on */
		return stream_begin(service->streams,
			&(struct stream_topic){ service, ticket.id, request->caller.project, request->lang,
				service->limits->event_streams,
				str_eq(request->caller.name, STR("local")) ? STR("") : access_who(&request->caller),
				service->limits->caller_streams, put_event },
			&reply->stream, err);
	}
	answer_json(reply, STATUS_OK);
	put_ticket(service, request->lang, jsonw_start(&reply->body, 1), &ticket);
	return 0;
}

/* A job that is over stays what it is. */
int answer_cancel(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct ticket ticket;
	int status = find_ticket(service, request, request->capture, &ticket, err);
	bool queued = !status && str_eq(ticket.status, STR("queued"));
	bool cancels = queued && (service->replica || queue_cancel(service->queue, ticket.id) || ticket.rests);

	if (cancels) { /* whichever service does it hears of the end */
		ticket.status = STR("cancelled");
		status = store_end_ticket(service->store, &ticket, STR(""), err);
	}
	if (cancels && ticket.rests && !service->replica) /* it may have been resumed meanwhile */
		queue_cancel(service->queue, ticket.id);
	return status < 0 ? status : answer_job(service, request, reply, err);
}
