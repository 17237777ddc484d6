#include "server/server.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <microhttpd.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/setup/clock.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "server/api/handlers.h"
#include "server/api/repeat.h"
#include "server/api/tickets.h"
#include "server/http/access.h"
#include "server/http/body.h"
#include "server/http/cache.h"
#include "server/http/head.h"
#include "server/http/header.h"
#include "server/http/metrics.h"
#include "server/http/peers.h"
#include "server/http/problem.h"
#include "server/http/rate.h"
#include "server/http/response.h"
#include "server/http/route.h"
#include "server/http/worker_pool.h"
#include "server/jobs/job.h"
#include "server/jobs/log.h"
#include "server/jobs/queue.h"
#include "server/pages/problem_reply.h"
#include "server/routes.h"
#include "server/service/housekeeping.h"
#include "server/service/replica.h"
#include "store/upload.h"
#include "store/work.h"

enum {
	/* Of a refused body, so that a client that sends before it reads gets the answer; then the connection is
	   dropped. */
	DISCARD_BYTES = 64 * 1024 * 1024,
	RECEIVE_STEP_BYTES = 16 * 1024,
};

struct server {
	const struct service *service;
	struct MHD_Daemon *daemon;
	struct peers *peers;
	struct rates *rates;
	struct worker_pool *slow,
		*beside; /* for slow routes; for all that ask the store, NULL: it is on this machine */
	sem_t askers;    /* threads of connections that may wait for the store to find a token: all but one */
	atomic_uint active;
	atomic_bool closing, stopping;
};

/* One request and its answer, from the headers to NOTIFY_COMPLETED. */
struct exchange {
	struct server *server;
	struct MHD_Connection *connection;
	struct peer *peer;
	struct str rate_key; /* ptr NULL: not counted */
	struct allowance allowance;
	struct rate rate;
	int64_t began_ns;
	struct request request;
	struct body *body; /* NULL: what comes is discarded */
	struct reply reply;
	size_t shared_headers;         /* of the reply; those after them are its own */
	struct MHD_Response *response; /* NULL: not yet */
	uint64_t charged;              /* to the cache, for what the reply holds */
	struct err err;                /* code 0: nothing went wrong so far */
	bool waits;                    /* for request.job */
	bool answered;                 /* beside this thread: status is what came of it */
	int status;
	struct worker_task task;
	uint64_t received, discarded, sent;
	struct buf line; /* of the log */
};

/* --- what HTTP says */

/* Addresses and queries stay as they are sent: they are taken apart first and decoded then. */
static size_t leave_escaped(void *cls UNUSED, struct MHD_Connection *connection UNUSED, char *text)
{
	return strlen(text);
}

/* --- the answer */

/* An upload that was not kept is gone before the client hears of it. */
static void drop_upload(struct exchange *exchange)
{
	upload_free(exchange->request.upload);
	exchange->request.upload = NULL;
	job_release(exchange->request.job);
	exchange->request.job = NULL;
}

/* draft-ietf-httpapi-ratelimit-headers */
static void put_rate(struct exchange *exchange)
{
	const struct rate *rate = &exchange->rate;
	struct arena *arena = &exchange->request.arena;
	struct reply *reply = &exchange->reply;

	if (!rate->most)
		return;
	reply_header(reply, "RateLimit-Policy", arena_printf(arena, "\"default\";q=%" PRIu64 ";w=60", rate->most));
	reply_header(reply, "RateLimit",
		arena_printf(arena, "\"default\";r=%" PRIu64 ";t=%u", rate->requests, rate->seconds));
	if (rate->exceeded || exchange->err.code == ERR_RATE)
		reply_header(reply, "Retry-After", arena_printf(arena, "%u", rate->seconds));
}

static bool is_file(const struct reply *reply)
{
	return reply->cached && !reply->cached->body && !reply_unpacks(reply);
}

/* Count what the answer holds until it is sent. False: it is too much, and a small one is to say so. */
static bool charge_reply(struct exchange *exchange)
{
	enum { SMALL_BYTES = 16 * 1024 };
	const struct service *service = exchange->server->service;
	const struct reply *reply = &exchange->reply;
	uint64_t held = reply_held_bytes(reply), most = service->limits->answer_bytes;
	bool alone = reply->cached && !reply->cached->placed && reply->cached->holdings;

	if (held <= SMALL_BYTES && !alone)
		most = UINT64_MAX;
	if (!cache_charge(service->cache, held, most))
		return false;
	exchange->charged = held;
	return true;
}

/* Free the memory that an answer was made with before it is sent; the log and the response still name these. */
static void drop_working_memory(struct exchange *exchange)
{
	enum { SMALL_BYTES = 32 * 1024 };
	struct request *request = &exchange->request;
	struct reply *reply = &exchange->reply;
	struct arena kept = ARENA_INIT(ARENA_UNLIMITED);
	struct str *texts[] = { &request->method, &request->path, &request->capture, &request->subject,
		&request->caller.address, &request->caller.name, &exchange->rate_key };

	if (request->arena.used_bytes <= SMALL_BYTES)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (texts[i]->ptr)
			*texts[i] = arena_keep(&kept, *texts[i]);
	}
	for (size_t i = 0; i < reply->header_count; i++)
		reply->headers[i].value = arena_keep(&kept, reply->headers[i].value);
	arena_clear(&request->arena);
	request->arena = kept;
}

static enum MHD_Result send_problem(struct exchange *exchange);

static enum MHD_Result send_reply(struct exchange *exchange)
{
	struct reply *reply = &exchange->reply;
	bool streams = reply->stream;

	drop_upload(exchange);
	if (!charge_reply(exchange)) {
		err_set(&exchange->err, ERR_BUSY, "the memory for answers is in use");
		err_hint(&exchange->err, "send it again later");
		return send_problem(exchange);
	}
	exchange->sent = reply_sent_bytes(reply);
	exchange->shared_headers = reply->header_count;
	reply_header(reply, "X-Request-Id", str_from(exchange->request.id));
	put_rate(exchange);
	if (atomic_load(&exchange->server->closing))
		reply_header(reply, "Connection", STR("close"));
	exchange->response = response_make(
		exchange->server->service->cache, reply, exchange->shared_headers, exchange->connection);
	if (!exchange->response)
		return MHD_NO;
	drop_working_memory(exchange);
	if (is_file(reply))
		peer_gathers(exchange->peer, true);
	if (streams)
		peer_waits(exchange->peer);
	else
		peer_takes(exchange->server->peers, exchange->peer);
	return MHD_queue_response(exchange->connection, reply->status, exchange->response);
}

static enum MHD_Result send_problem(struct exchange *exchange)
{
	problem_reply(exchange->server->service, &exchange->request, &exchange->reply, &exchange->err);
	return send_reply(exchange);
}

/* --- a request step by step */

static struct peer *peer_of(struct MHD_Connection *connection)
{
	return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static void exchange_free(struct exchange *exchange)
{
	if (!exchange)
		return;
	arena_clear(&exchange->request.arena);
	buf_clear(&exchange->line);
	free(exchange);
}

/* Its memory is for the next request of the connection. */
static void exchange_end(struct exchange *exchange)
{
	struct peer *peer = exchange->peer;
	struct arena arena = exchange->request.arena;
	struct buf line = exchange->line;

	free(exchange->request.parameters.items);
	arena_reset(&arena);
	buf_reset(&line);
	*exchange = (struct exchange){ .request.arena = arena, .line = line };
	peer->spare = exchange;
}

static struct exchange *exchange_begin(struct server *server, struct MHD_Connection *connection)
{
	struct peer *peer = peer_of(connection);
	struct exchange *exchange = peer->spare;
	struct arena arena;

	if (!exchange) {
		exchange = mem_zalloc(sizeof(*exchange));
		exchange->request.arena = ARENA_INIT(ARENA_UNLIMITED);
		exchange->line = BUF_UNLIMITED;
	}
	peer->spare = NULL;
	exchange->server = server;
	exchange->connection = connection;
	exchange->peer = peer;
	exchange->began_ns = clock_ns();
	peer_transfers(server->peers, exchange->peer, exchange->began_ns / 1000000, 0);
	arena = exchange->request.arena;
	request_init(&exchange->request);
	exchange->request.arena = arena;
	exchange->request.routes = &routes;
	atomic_fetch_add(&server->active, 1);
	return exchange;
}

static bool takes_body(const struct request *request)
{
	return str_eq(request->method, STR("POST")) || str_eq(request->method, STR("PUT"));
}

static int begin_body(struct exchange *exchange)
{
	const struct service *service = exchange->server->service;

	if (!exchange->request.route || !takes_body(&exchange->request))
		return 0;
	return body_begin(
		&(struct body_of){ &exchange->request, exchange->connection, service->store, service->limits },
		&exchange->body, &exchange->err);
}

/* Returns whether a refusal can be sent at once: the client waits for permission to send, or sends too much.
   libmicrohttpd closes the connection behind it, for these two methods only. */
static bool refuse_at_once(const struct request *request)
{
	return takes_body(request) && (request->headers[HEADER_EXPECT].len || body_announced(request) > DISCARD_BYTES);
}

/* The limits, overridden by the token's. */
static uint64_t share_of(uint64_t own, uint64_t usual, unsigned services)
{
	uint64_t share = (own ? own : usual) / services;

	return share ? share : 1;
}

/* Services that share a store know nothing of each other's buckets: each allows its part. */
static struct allowance allowance_of(const struct service *service, const struct allowance *own)
{
	const struct limits *limits = service->limits;
	unsigned services = replica_count(service->replica);

	return (struct allowance){ share_of(own->minute_requests, limits->minute_requests, services),
		share_of(own->hour_bytes, limits->hour_bytes, services), own->jobs ? own->jobs : limits->caller_jobs };
}

/* Rate-limit by token, else by the site of the address, also for invalid tokens. */
static int check_rate(struct exchange *exchange)
{
	const struct caller *caller = &exchange->request.caller;
	struct str who = access_who(caller);

	if (caller->local)
		return 0;
	exchange->rate_key = who.ptr == caller->address.ptr ? peer_site(who, &exchange->request.arena) : who;
	exchange->allowance = allowance_of(exchange->server->service, &caller->allowance);
	exchange->rate = rates_ask(exchange->server->rates, exchange->rate_key, &exchange->allowance);
	if (!exchange->rate.exceeded)
		return 0;
	err_set(&exchange->err, ERR_RATE, "too many requests, or too many bytes");
	return err_hint(&exchange->err, "try again in %u s", exchange->rate.seconds);
}

/* Of the threads of connections, one at least does not wait for a store that is silent. */
static bool may_ask(struct exchange *exchange)
{
	enum { WAIT_NS = 250000000, SECOND_NS = 1000000000 };
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += WAIT_NS;
	until.tv_sec += until.tv_nsec / SECOND_NS;
	until.tv_nsec %= SECOND_NS;
	return !sem_clockwait(&exchange->server->askers, CLOCK_MONOTONIC, &until);
}

static int check_caller(struct exchange *exchange)
{
	struct server *server = exchange->server;
	struct request *request = &exchange->request;
	bool asks = server->beside &&
		    (request->headers[HEADER_AUTHORIZATION].len || request->headers[HEADER_COOKIE].len);
	int status;

	if (!server->service->access)
		return 0;
	if (asks && !may_ask(exchange)) {
		request->caller = (struct caller){ .address = str_from(exchange->peer->address), .name = STR("-") };
		err_set(&exchange->err, ERR_BUSY, "the store is slow to find tokens");
		return err_hint(&exchange->err, "send it again later");
	}
	status = access_identify(server->service->access, exchange->peer, request, &exchange->err);
	if (asks)
		sem_post(&server->askers);
	return check_rate(exchange) ? -exchange->err.code : status;
}

/* A worker tells how it is, and answers no other requests. */
static int check_role(const struct service *service, const struct request *request, struct err *err)
{
	const struct route *route = request->route;

	if (service->answers || !route || route->scope == SCOPE_OPEN || route->answer == answer_metrics)
		return 0;
	err_set(err, ERR_BUSY, "this service does jobs alone");
	return err_hint(err, "ask a service whose role is web or all");
}

/* Answer before anything of a body is taken. */
static enum MHD_Result refuse_unread(struct exchange *exchange)
{
	exchange->peer->lingers = takes_body(&exchange->request);
	return send_problem(exchange);
}

static enum MHD_Result begin_request(struct exchange *exchange, const char *path, const char *method)
{
	struct request *request = &exchange->request;
	struct err unknown_lang;
	int status;

	request->method = str_from(method);
	status = head_read(exchange->connection, request, path, &exchange->err);
	request_resolve_lang(request, &unknown_lang); /* that of errors, too; route_begin says what is wrong with it */
	if (status)
		return refuse_unread(exchange);
	status = check_caller(exchange);
	if (!status)
		status = route_begin(request, &exchange->err);
	if (!status)
		status = check_role(exchange->server->service, request, &exchange->err);
	if (!status && request->route && exchange->server->service->access)
		status = access_check(request, request->route->scope, &exchange->err);
	if (!status && request->route && request_changes(request))
		status = request_check_origin(request, &exchange->err);
	if (!status)
		status = begin_body(exchange);
	return status && refuse_at_once(request) ? refuse_unread(exchange) : MHD_YES;
}

/* MHD_NO drops the connection. */
static enum MHD_Result receive_body(struct exchange *exchange, struct str bytes)
{
	const struct limits *limits = exchange->server->service->limits;

	exchange->received += bytes.len;
	peer_transfers(exchange->server->peers, exchange->peer, exchange->began_ns / 1000000, exchange->received);
	if ((double)(clock_ns() - exchange->began_ns) / 1e9 > (double)limits->upload_seconds)
		return MHD_NO;
	if (exchange->body && !exchange->err.code) {
		body_add(exchange->body, bytes, &exchange->err);
		return MHD_YES;
	}
	exchange->discarded += bytes.len;
	return exchange->discarded > DISCARD_BYTES ? MHD_NO : MHD_YES;
}

static void go_on(void *ctx)
{
	struct exchange *exchange = ctx;

	MHD_resume_connection(exchange->connection);
}

static bool client_has_left(const void *ctx)
{
	const struct exchange *exchange = ctx;
	struct pollfd polled = { .fd = exchange->peer->fd, .events = POLLRDHUP };

	return poll(&polled, 1, 0) > 0;
}

/* A caller without a token may name any project: it takes turns by its address. */
static void set_owner(const struct exchange *exchange, struct job *job)
{
	const struct caller *caller = &exchange->request.caller;
	struct str who = access_who(caller), project = job->run.project.len ? job->run.project : caller->project;
	bool known = caller->local || who.ptr != caller->address.ptr;

	job_set_owner(job, known ? project : STR(""), exchange->rate_key.len ? exchange->rate_key : who);
	if (exchange->rate_key.len) {
		job->caller = arena_keep(&job->arena, exchange->rate_key);
		job->caller_jobs = exchange->allowance.jobs;
	}
}

/* The connection rests until the job is done, and its thread serves others; finish_request comes again then. */
static enum MHD_Result wait_for_job(struct exchange *exchange)
{
	struct job *job = exchange->request.job;

	exchange->waits = true;
	exchange->answered = exchange->request.beside = false;
	job->wake = go_on;
	job->wake_ctx = exchange;
	job->has_left = client_has_left;
	set_owner(exchange, job);
	MHD_suspend_connection(exchange->connection);
	if (queue_add(exchange->server->service->queue, job, &job->err))
		go_on(exchange);
	return MHD_YES;
}

static int answer_after_job(struct exchange *exchange)
{
	const struct job *job = exchange->request.job;

	if (job->ticketed)
		return answer_accepted(exchange->server->service, &exchange->request, &exchange->reply, &exchange->err);
	if (!job->err.code)
		return exchange->request.resume(
			exchange->server->service, &exchange->request, &exchange->reply, &exchange->err);
	exchange->err = job->err;
	return -job->err.code;
}

static void note_subject(struct request *request)
{
	const struct job *job = request->job;
	struct str id = !job ? request->capture : job->ticketed ? str_from(job->ticket) : job->record.id;

	if (id.len)
		request->subject = arena_keep(&request->arena, id);
}

static void answer(struct exchange *exchange)
{
	const struct service *service = exchange->server->service;
	struct request *request = &exchange->request;

	exchange->status = exchange->waits ? answer_after_job(exchange)
					   : route_answer(service, request, &exchange->reply, &exchange->err);
	exchange->answered = true;
	if (exchange->status == ANSWER_LATER || exchange->status == ANSWER_BESIDE)
		return;
	note_subject(request);
	repeat_end(service, request, exchange->status ? 0 : exchange->reply.status);
}

static void answer_in_worker(void *ctx)
{
	struct exchange *exchange = ctx;

	if (atomic_load(&exchange->server->stopping)) {
		exchange->status = err_set(&exchange->err, ERR_BUSY, "the service is stopping");
		exchange->answered = true;
	} else {
		answer(exchange);
	}
	if (exchange->status >= 0)
		exchange->err = (struct err){ 0 }; /* of what a handler tried first */
	MHD_resume_connection(exchange->connection);
}

/* The connection rests until another thread has answered. */
static enum MHD_Result wait_for_answer(struct exchange *exchange, struct worker_pool *pool, uint64_t most_waiting)
{
	exchange->task = (struct worker_task){ answer_in_worker, exchange };
	exchange->request.beside = pool == exchange->server->slow;
	MHD_suspend_connection(exchange->connection);
	if (worker_pool_add(pool, &exchange->task, most_waiting, &exchange->err)) {
		exchange->status = -exchange->err.code;
		exchange->answered = true;
		MHD_resume_connection(exchange->connection);
	}
	return MHD_YES;
}

/* Checks what was received; MHD_YES: it is to be answered. */
static int end_body(struct exchange *exchange)
{
	if (exchange->body && !exchange->err.code)
		body_end(exchange->body, &exchange->err);
	return exchange->err.code ? -exchange->err.code : access_check_form(&exchange->request, &exchange->err);
}

/* Comes again when a job or another thread is done with it. */
static enum MHD_Result finish_request(struct exchange *exchange)
{
	struct server *server = exchange->server;
	const struct limits *limits = server->service->limits;
	const struct route *route = exchange->request.route;

	peer_waits(exchange->peer);
	if (!exchange->answered) {
		if (exchange->waits && atomic_load(&exchange->request.job->abandoned))
			return MHD_NO;
		if (!exchange->waits && end_body(exchange))
			return send_problem(exchange);
		if (!exchange->waits && route && route->slow)
			return wait_for_answer(exchange, server->slow, limits->job_queue);
		if (server->beside && route && !route->quick)
			return wait_for_answer(exchange, server->beside, limits->connections);
		answer(exchange);
	}
	if (exchange->status == ANSWER_LATER)
		return wait_for_job(exchange);
	if (exchange->status == ANSWER_BESIDE) {
		exchange->waits = false;
		return wait_for_answer(exchange, server->slow, limits->connections);
	}
	return exchange->status ? send_problem(exchange) : send_reply(exchange);
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *path, const char *method,
	const char *version UNUSED, const char *data, size_t *data_size, void **con_cls)
{
	struct str bytes = { data, *data_size };

	if (!*con_cls) {
		if (peer_of(connection)->refused)
			return MHD_NO;
		*con_cls = exchange_begin(cls, connection);
		return begin_request(*con_cls, path, method);
	}
	if (!bytes.len)
		return finish_request(*con_cls);
	*data_size = 0;
	return receive_body(*con_cls, bytes);
}

/* --- the end of a request */

static void put_shown(struct buf *line, const char *before, struct str text)
{
	enum { SHORT_BYTES = 128 };

	buf_add(line, str_from(before));
	if (text.len <= SHORT_BYTES)
		utf8_printable(line, text);
	else
		buf_add(line, str_from(shown(text).text));
}

/* Without printf, which would be a tenth of what a stored answer takes. */
static void log_exchange(struct exchange *exchange, double seconds)
{
	const struct request *request = &exchange->request;
	unsigned status = exchange->reply.status;
	struct buf *line = &exchange->line;

	put_shown(line, "", str_from(request->id));
	put_shown(line, " ", request->method);
	put_shown(line, " ", request->path);
	buf_byte(line, ' ');
	if (status)
		decimal_put(line, status, 0);
	else
		buf_add(line, STR("cut")); /* the client or the service gave it up */
	buf_byte(line, ' ');
	decimal_put(line, (int64_t)(seconds * 10000), 1);
	buf_add(line, STR(" ms, "));
	decimal_put(line, (int64_t)exchange->received, 0);
	buf_add(line, STR(" bytes in, "));
	decimal_put(line, (int64_t)exchange->sent, 0);
	put_shown(line, " out, from ", request->caller.address);
	put_shown(line, " by ", request->caller.name);
	log_text(status >= SERVER_ERROR ? LOG_LEVEL_ERROR : LOG_LEVEL_INFO, buf_str(line));
	if (exchange->err.code && status >= SERVER_ERROR)
		log_error(request->id, &exchange->err);
}

/* Log changes, and requests refused for their caller. */
static void note_audit(const struct exchange *exchange)
{
	enum { UNAUTHORIZED = 401, FORBIDDEN = 403, ACTION_BYTES = 128 };
	const struct request *request = &exchange->request;
	struct housekeeper *housekeeper = exchange->server->service->housekeeper;
	unsigned status = exchange->reply.status;
	bool changes = request->route && strcmp(request->route->method, "GET") != 0;
	struct str subject = request->subject.len ? request->subject : request->capture;
	char action[ACTION_BYTES];

	if (!housekeeper || !(changes || status == UNAUTHORIZED || status == FORBIDDEN))
		return;
	snprintf(action, sizeof(action), "%.16s %s", shown(request->method).text,
		request->route ? request->route->pattern : "-");
	housekeeper_note(housekeeper, &(struct audit){ .who = request->caller.name,
					      .address = request->caller.address,
					      .action = str_from(action),
					      .subject = subject,
					      .request = str_from(request->id),
					      .status = status });
}

static void count_exchange(const struct exchange *exchange, double seconds)
{
	struct server *server = exchange->server;

	if (exchange->rate_key.ptr && exchange->received)
		rates_send(server->rates, exchange->rate_key, &exchange->allowance, exchange->received);
	if (server->service->metrics)
		metrics_count(server->service->metrics, &(struct metrics_request){ exchange->request.route,
								exchange->reply.status, seconds, exchange->received });
}

static void on_completed(void *cls UNUSED, struct MHD_Connection *connection UNUSED, void **con_cls,
	enum MHD_RequestTerminationCode code UNUSED)
{
	struct exchange *exchange = *con_cls;
	double seconds;

	if (!exchange)
		return;
	if (is_file(&exchange->reply))
		peer_gathers(exchange->peer, false);
	seconds = (double)(clock_ns() - exchange->began_ns) / 1e9;
	peer_awaits_head(exchange->server->peers, exchange->peer);
	*con_cls = NULL;
	repeat_end(exchange->server->service, &exchange->request, 0); /* for one that was cut off */
	log_exchange(exchange, seconds);
	note_audit(exchange);
	count_exchange(exchange, seconds);
	body_free(exchange->body);
	drop_upload(exchange);
	cache_discharge(exchange->server->service->cache, exchange->charged);
	response_done(exchange->server->service->cache, &exchange->reply, exchange->shared_headers, exchange->response);
	reply_clear(&exchange->reply);
	atomic_fetch_sub(&exchange->server->active, 1);
	exchange_end(exchange);
}

/* --- more parameters than libmicrohttpd has room for: it would close the connection without a word */

enum { PARAMETER_BYTES = 64, HEAD_BYTES = 4096, MOST_PARAMETERS = 256 };

static bool has_room(const struct limits *limits, struct str target)
{
	size_t parameters = 1;

	for (const char *at = target.ptr; (at = memchr(at, '&', (size_t)(target.ptr + target.len - at))); at++)
		parameters++;
	return parameters <= MOST_PARAMETERS &&
	       target.len + parameters * PARAMETER_BYTES + HEAD_BYTES <= limits->connection_bytes;
}

static void write_answer(const struct exchange *exchange)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	const struct reply *reply = &exchange->reply;

	buf_printf(&text, "HTTP/1.1 %u %s\r\n", reply->status, MHD_get_reason_phrase_for(reply->status));
	buf_printf(&text, "Content-Type: %s\r\nContent-Length: %zu\r\n", reply->media_type, reply->body.len);
	for (size_t i = 0; i < reply->header_count; i++)
		buf_printf(&text, "%s: %.*s\r\n", reply->headers[i].name, STR_ARG(reply->headers[i].value));
	buf_add(&text, STR("\r\n"));
	buf_add(&text, buf_str(&reply->body));
	(void)!send(exchange->peer->fd, text.ptr, text.len, MSG_NOSIGNAL | MSG_DONTWAIT);
	shutdown(exchange->peer->fd, SHUT_WR);
}

static void *on_target(void *cls, const char *text, struct MHD_Connection *connection)
{
	struct server *server = cls;
	struct str target = str_from(text);
	struct exchange *exchange;

	if (!memchr(text, '?', target.len) || has_room(server->service->limits, target))
		return NULL;
	exchange = exchange_begin(server, connection);
	exchange->peer->refused = true;
	exchange->request.method = STR("-");
	exchange->request.caller.address = str_from(exchange->peer->address);
	exchange->request.caller.name = STR("-");
	str_cut(&target, '?', &exchange->request.path);
	err_set(&exchange->err, ERR_HTTP, "the query has more parameters than the service reads");
	err_hint(&exchange->err, "send at most %d, in one request line", MOST_PARAMETERS);
	problem_reply(server->service, &exchange->request, &exchange->reply, &exchange->err);
	reply_header(&exchange->reply, "X-Request-Id", str_from(exchange->request.id));
	write_answer(exchange);
	on_completed(server, connection, (void **)&exchange, MHD_REQUEST_TERMINATED_COMPLETED_OK);
	return NULL;
}

/* --- connections */

static void on_connection(
	void *cls, struct MHD_Connection *connection, void **context, enum MHD_ConnectionNotificationCode code)
{
	struct peers *peers = ((struct server *)cls)->peers;
	struct peer *peer;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		*context = peers_add(
			peers, MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
		return;
	}
	peer = *context;
	exchange_free(peer->spare);
	peers_remove(peers, peer);
}

static bool is_proxy(const void *ctx, struct str address)
{
	const struct service *service = ctx;

	return service->access && access_trusts(service->access, address);
}

/* --- starting and stopping */

static unsigned bounded(uint64_t value)
{
	return value > UINT_MAX ? UINT_MAX : (unsigned)value;
}

/* libmicrohttpd 0.9.75 corks and uncorks a TCP connection around each head, which so leaves ahead of its body (its
   mhd_send.c, post_send_setopt): another wake-up of the client and up to five system calls. It leaves Unix sockets
   alone, and asks the listening socket for its domain once. So that is a Unix socket until the daemon has started. */
static struct MHD_Daemon *start_daemon(struct server *server, int listening, unsigned threads)
{
	/* not epoll: libmicrohttpd 0.9.75 uses it edge-triggered and overlooks clients that close in mid-upload */
	unsigned flags = MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME;
	const struct limits *limits = server->service->limits;
	int kept = fcntl(listening, F_DUPFD_CLOEXEC, 0), unbound = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
	    on = 1;
	struct MHD_Daemon *daemon = NULL;

	setsockopt(listening, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)); /* of its connections, too */
	if (kept >= 0 && unbound >= 0 && dup3(unbound, listening, O_CLOEXEC) == listening)
		daemon = MHD_start_daemon(flags, 0, NULL, NULL, on_request, server, MHD_OPTION_LISTEN_SOCKET, listening,
			MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_NOTIFY_COMPLETED, on_completed, server,
			MHD_OPTION_NOTIFY_CONNECTION, on_connection, server, MHD_OPTION_UNESCAPE_CALLBACK,
			leave_escaped, NULL, MHD_OPTION_URI_LOG_CALLBACK, on_target, server,
			MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_CONNECTION_LIMIT, bounded(limits->connections),
			MHD_OPTION_CONNECTION_TIMEOUT, bounded(limits->connection_seconds),
			MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)limits->connection_bytes,
			MHD_OPTION_CONNECTION_MEMORY_INCREMENT, (size_t)RECEIVE_STEP_BYTES, MHD_OPTION_END);
	if (kept >= 0) {
		dup3(kept, listening, O_CLOEXEC);
		close(kept);
	}
	if (unbound >= 0)
		close(unbound);
	return daemon;
}

static void free_server(struct server *server)
{
	worker_pool_stop(server->slow);
	worker_pool_stop(server->beside);
	if (server->daemon)
		MHD_stop_daemon(server->daemon);
	worker_pool_free(server->slow);
	worker_pool_free(server->beside);
	peers_stop(server->peers);
	rates_free(server->rates);
	sem_destroy(&server->askers);
	free(server);
}

int server_start(const struct service *service, const struct listening *listening, unsigned threads,
	struct server **ret, struct err *err)
{
	const struct limits *limits = service->limits;
	struct server *server = mem_zalloc(sizeof(*server));

	if (threads > limits->connections) /* each must be able to take one */
		threads = (unsigned)limits->connections;
	server->service = service;
	server->rates = rates_new();
	sem_init(&server->askers, 0, threads > 1 ? threads - 1 : 1);
	if (!worker_pool_start(bounded(limits->workers), &server->slow, err) &&
		!(store_is_shared(service->store) && worker_pool_start(threads, &server->beside, err)) &&
		!peers_start(limits, is_proxy, service, &server->peers, err)) {
		server->daemon = start_daemon(server, listening->fd, threads);
		if (server->daemon) {
			*ret = server;
			return 0;
		}
		err_set(err, ERR_LISTEN, "cannot start %u threads on the socket", threads);
	}
	free_server(server);
	return -err->code;
}

void server_close(struct server *server)
{
	MHD_socket socket;

	atomic_store(&server->closing, true);
	socket = MHD_quiesce_daemon(server->daemon);
	if (socket != MHD_INVALID_SOCKET)
		close(socket);
}

bool server_lives(const struct server *server)
{
	return peers_watched(server->peers);
}

unsigned server_active(const struct server *server)
{
	return atomic_load(&server->active);
}

void server_stop(struct server *server)
{
	atomic_store(&server->stopping, true);
	free_server(server);
}
