#include "server/service/replica.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "opdb/db/lists.h"
#include "server/jobs/log.h"
#include "server/jobs/queue_look.h"
#include "server/jobs/queue_shared.h"
#include "server/service/databases.h"
#include "server/service/service.h"
#include "server/service/resume.h"
#include "store/replicas.h"
#include "store/work.h"

enum { LISTEN_MS = 1000, BEATS_A_LEASE = 4 };

struct replica {
	const struct service *service;
	pthread_t thread;
	atomic_bool resting, ending, agrees;
	atomic_uint count, left;
	atomic_ullong leads_until;
	/* of the thread */
	char facts[65];
	struct arena arena;          /* of these two */
	struct replica_list others;  /* this one is among them */
	MEM_LIST(struct str) ended;  /* tickets, as heard */
	uint64_t beat_at, looked_at; /* next, and last */
	bool failed;                 /* the last turn, whose error was logged */
};

/* --- signs of life */

static void look_at_facts(struct replica *replica)
{
	struct opdb *db = NULL;
	struct err ignored;

	replica->facts[0] = '\0';
	if (!service_open_db(replica->service, &db, &ignored))
		snprintf(replica->facts, sizeof(replica->facts), "%.*s", STR_ARG(opdb_info(db)->digest));
	service_close_db(replica->service, db);
}

static int beat(struct replica *replica, const struct lease *lease, struct err *err)
{
	const struct service *service = replica->service;
	struct replica_row row = { lease->holder, lease->until, STR(""), service->claims };
	bool agrees = true;
	int status;

	look_at_facts(replica);
	row.facts = str_from(replica->facts);
	arena_clear(&replica->arena);
	replica->others = (struct replica_list){ 0 };
	status = store_beat(service->store, &row, &replica->arena, &replica->others, err);
	if (!status && service->claims)
		status = store_take_duty(service->store, STR("housekeeping"), lease, err);
	if (status < 0)
		return status;
	if (status == 1)
		atomic_store(&replica->leads_until, lease->until);
	for (size_t i = 0; i < replica->others.count; i++)
		agrees &= str_eq(replica->others.items[i].facts, row.facts);
	atomic_store(&replica->agrees, agrees);
	atomic_store(&replica->count, (unsigned)replica->others.count);
	replica->beat_at = lease->now + (lease->until - lease->now) / BEATS_A_LEASE;
	return 0;
}

/* --- jobs done here */

/* Renew the leases on them; end those that were cancelled, or that another service has. */
static int hold_jobs(const struct replica *replica, const struct lease *lease, struct arena *arena, struct err *err)
{
	const struct service *service = replica->service;
	struct queue_item *items;
	size_t count = queue_list(service->queue, arena, &items);
	int status = 1;

	for (size_t i = 0; i < count && status >= 0; i++) {
		if (!items[i].ticket.len)
			continue;
		status = store_hold_work(service->store, items[i].ticket, lease, items[i].read_bytes, err);
		if (status == 0)
			queue_cancel(service->queue, items[i].ticket);
	}
	return status < 0 ? status : 0;
}

/* --- ends of jobs */

static void end_heard(struct replica *replica)
{
	for (size_t i = 0; i < replica->ended.count; i++) {
		struct str ticket = replica->ended.items[i];

		queue_end_handed(replica->service->queue, ticket);
		queue_cancel(replica->service->queue, ticket); /* where it runs here, it was cancelled elsewhere */
		free((char *)(uintptr_t)ticket.ptr);
	}
	replica->ended.count = 0;
}

/* Those whose signal was missed. */
static int end_missed(const struct service *service, struct arena *arena, struct err *err)
{
	struct str *tickets;
	size_t count = queue_list_handed(service->queue, arena, &tickets);
	int status = 0;

	for (size_t i = 0; i < count && status >= 0; i++) {
		struct ticket ticket = { .id = tickets[i] };

		status = store_find_ticket(service->store, &ticket, arena, err);
		if (status == 1 && !str_eq(ticket.status, STR("queued")))
			queue_end_handed(service->queue, tickets[i]);
	}
	return status < 0 ? status : 0;
}

/* --- claiming */

/* Facts that this service has, or that none has: then the submit is resolved anew. */
static bool fits(const struct replica *replica, struct str facts)
{
	bool others_have = ANY(i, replica->others.count,
		replica->others.items[i].claims && str_eq(replica->others.items[i].facts, facts));

	return str_eq(facts, str_from(replica->facts)) || !others_have;
}

static bool has_slot(const struct replica *replica)
{
	const struct turn_job any = { 0 };
	struct turn turn = { .waiting = &any, .waiting_count = 1 };

	return queue_turn(replica->service->queue, &turn) != TURN_NONE;
}

/* The jobs as the rule of turns sees them. */
struct candidates {
	struct turn_job *waiting, *elsewhere;
	const struct work_item **items; /* of those that wait */
	size_t waiting_count, elsewhere_count;
	unsigned left;
};

static struct candidates candidates_of(
	const struct replica *replica, const struct work_list *list, const struct lease *lease, struct arena *arena)
{
	struct candidates found = { .waiting = arena_alloc(arena, (list->count + 1) * sizeof(found.waiting[0])),
		.elsewhere = arena_alloc(arena, (list->count + 1) * sizeof(found.elsewhere[0])),
		.items = arena_alloc(arena, (list->count + 1) * sizeof(found.items[0])) };

	for (size_t i = 0; i < list->count; i++) {
		const struct work_item *item = &list->items[i];
		struct turn_job job = { .owner = hash_str(hash_seed(), item->owner),
			.bytes = item->input_bytes,
			.started = item->starts_before,
			.held = !fits(replica, item->facts) };

		if (item->held_until <= lease->now) {
			found.left += job.held;
			found.items[found.waiting_count] = item;
			found.waiting[found.waiting_count++] = job;
		} else if (item->start_number && !str_eq(item->holder, lease->holder)) {
			found.elsewhere[found.elsewhere_count++] = job;
		}
	}
	return found;
}

/* 1 when a job was claimed, 0 when none may start here. */
static int claim_next(struct replica *replica, struct arena *arena, struct err *err)
{
	const struct service *service = replica->service;
	struct lease lease = service_lease(service);
	struct candidates found;
	struct work_list list;
	struct ticket ticket;
	int status = store_list_work(service->store, arena, &list, err);
	size_t next = 0;

	found = candidates_of(replica, &list, &lease, arena);
	if (found.left && !atomic_load(&replica->left))
		log_line(LOG_LEVEL_NOTICE, "%u jobs wait for a service with other facts", found.left);
	atomic_store(&replica->left, found.left);
	while (!status && next != TURN_NONE) {
		struct turn turn = { .started = list.count ? list.items[0].starts : 0,
			.waiting = found.waiting,
			.waiting_count = found.waiting_count,
			.elsewhere = found.elsewhere,
			.elsewhere_count = found.elsewhere_count };

		next = queue_turn(service->queue, &turn);
		if (next == TURN_NONE)
			continue;
		found.waiting[next].held = true;
		ticket = (struct ticket){ .id = found.items[next]->ticket };
		status = store_claim_work(service->store, &lease, arena, &ticket, err);
	}
	if (status == 1) {
		struct err ended; /* its clients hear of it */

		submit_again(service, &ticket, &ended);
	}
	return status;
}

static int claim_jobs(struct replica *replica, struct err *err)
{
	int status = 1;

	while (status == 1 && !atomic_load(&replica->resting) && replica->facts[0] && has_slot(replica)) {
		CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

		status = claim_next(replica, &arena, err);
	}
	return status < 0 ? status : 0;
}

/* --- the thread */

static void hear(void *ctx, struct str signal)
{
	struct replica *replica = ctx;
	struct str word;

	if (str_eq(signal, STR("services")))
		replica->beat_at = 0;
	if (str_cut(&signal, ' ', &word) && str_eq(word, STR("end")))
		MEM_PUSH(&replica->ended, str_from(mem_text(signal.ptr)));
}

static int take_turn(struct replica *replica, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct lease lease = service_lease(replica->service);
	int status = lease.now >= replica->beat_at ? beat(replica, &lease, err) : 0;

	end_heard(replica);
	if (!status && lease.now != replica->looked_at) {
		status = hold_jobs(replica, &lease, &arena, err);
		if (!status)
			status = end_missed(replica->service, &arena, err);
		if (!status)
			status = store_fold(replica->service->store, err);
		replica->looked_at = lease.now;
	}
	if (!status && replica->service->claims)
		status = claim_jobs(replica, err);
	if (!status)
		status = store_listen(replica->service->store, &(struct store_ear){ LISTEN_MS, hear, replica }, err);
	return status;
}

static void *run_replica(void *arg)
{
	const struct timespec pause = { .tv_nsec = 500L * 1000 * 1000 };
	struct replica *replica = arg;
	struct err err;

	while (!atomic_load(&replica->ending)) {
		bool failed = take_turn(replica, &err);

		if (failed && !replica->failed)
			log_error("", &err);
		if (failed)
			nanosleep(&pause, NULL);
		replica->failed = failed;
	}
	return NULL;
}

/* --- the whole */

int replica_start(struct service *service, struct err *err)
{
	struct replica *replica = mem_zalloc(sizeof(*replica));
	struct lease lease;
	int failed, status;

	replica->service = service;
	replica->arena = ARENA_INIT(ARENA_UNLIMITED);
	lease = service_lease(service);
	status = beat(replica, &lease, err);
	if (!status)
		status = store_call_replicas(service->store, err);
	service->replica = status ? NULL : replica; /* the thread's jobs are claimed under its leases */
	failed = status ? 0 : pthread_create(&replica->thread, NULL, run_replica, replica);
	if (failed)
		status = err_os(err, ERR_INTERNAL, failed, "cannot start a thread for shared jobs");
	if (status) {
		service->replica = NULL;
		arena_clear(&replica->arena);
		free(replica);
	}
	return status;
}

void replica_rest(struct replica *replica)
{
	if (replica)
		atomic_store(&replica->resting, true);
}

void replica_stop(struct replica *replica)
{
	struct err err;

	if (!replica)
		return;
	atomic_store(&replica->ending, true);
	store_poke(replica->service->store);
	pthread_join(replica->thread, NULL);
	if (store_leave(replica->service->store, str_from(replica->service->holder), &err) < 0)
		log_error("", &err);
	end_heard(replica);
	mem_release(&replica->ended.items);
	arena_clear(&replica->arena);
	free(replica);
}

unsigned replica_count(const struct replica *replica)
{
	unsigned count = replica ? atomic_load(&replica->count) : 1;

	return count ? count : 1;
}

bool replica_leads(const struct replica *replica)
{
	return !replica || store_now(replica->service->store) < atomic_load(&replica->leads_until);
}

bool replica_agrees(const struct replica *replica)
{
	return !replica || atomic_load(&replica->agrees);
}

unsigned replica_left(const struct replica *replica)
{
	return replica ? atomic_load(&replica->left) : 0;
}
