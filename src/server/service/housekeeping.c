#include "server/service/housekeeping.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory/mem.h"
#include "base/setup/clock.h"
#include "server/jobs/log.h"
#include "server/service/service.h"
#include "server/service/rejudge.h"
#include "server/service/replica.h"
#include "server/service/resume.h"
#include "store/retention.h"

enum {
	MS = 1000,
	MOST_NOTES = 1024,
	TURN_SECONDS = 30,
	GATHER_MS = 1000,
	SWEEP_SECONDS = 3600,
	STRAY_SECONDS = 60, /* that the clock on the wall may differ in a turn without having been set */
	DISTRUST_SECONDS = 24 * 3600,
};

struct notes {
	struct audit *items;
	size_t count, capacity;
	struct arena arena;
};

struct housekeeper {
	const struct service *service;
	pthread_mutex_t lock;   /* of what follows */
	pthread_cond_t changed; /* there are notes, or it stops */
	struct notes notes;
	uint64_t lost;
	bool stopping;
	pthread_t thread;
	time_t machine_started; /* of the thread */
	struct stale_round stale;
};

/* --- the audit log */

void housekeeper_note(struct housekeeper *housekeeper, const struct audit *audit)
{
	struct audit note = *audit;
	struct str *const texts[] = { &note.who, &note.address, &note.action, &note.subject, &note.request };

	note.at = store_now(housekeeper->service->store);
	pthread_mutex_lock(&housekeeper->lock);
	if (housekeeper->notes.count < MOST_NOTES) {
		for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
			*texts[i] = arena_keep(&housekeeper->notes.arena, texts[i]->ptr ? *texts[i] : STR(""));
		MEM_PUSH(&housekeeper->notes, note);
		pthread_cond_signal(&housekeeper->changed);
	} else {
		housekeeper->lost++;
	}
	pthread_mutex_unlock(&housekeeper->lock);
}

void housekeeper_write_notes(struct housekeeper *housekeeper)
{
	struct notes notes;
	struct err err;
	uint64_t lost;

	if (!housekeeper)
		return;
	pthread_mutex_lock(&housekeeper->lock);
	notes = housekeeper->notes;
	housekeeper->notes = (struct notes){ .arena = ARENA_INIT(ARENA_UNLIMITED) };
	lost = housekeeper->lost;
	housekeeper->lost = 0;
	pthread_mutex_unlock(&housekeeper->lock);
	if (notes.count && store_add_audits(housekeeper->service->store, notes.items, notes.count, &err)) {
		log_error("", &err);
		lost += notes.count;
	}
	if (lost)
		log_line(LOG_LEVEL_ERROR, "%llu entries of the audit log are lost", (unsigned long long)lost);
	free(notes.items);
	arena_clear(&notes.arena);
}

/* --- rounds */

/* A replica has a thread for its leases. */
static void renew_leases(const struct service *service)
{
	struct lease lease = service_lease(service);
	struct err err;

	if (service->replica)
		return;
	if (store_renew(service->store, &lease, &err) || submits_resume(service, &err) < 0)
		log_error("", &err);
}

/* Re-judge the latest runs when the facts have changed. */
static void rejudge(struct housekeeper *housekeeper)
{
	const struct replica *replica = housekeeper->service->replica;
	struct err err;

	if (!replica_leads(replica) || !replica_agrees(replica)) /* services with other facts would undo it */
		return;
	if (rejudge_stale(housekeeper->service, &housekeeper->stale, &err) && err.code != ERR_DB_OPEN)
		log_error("", &err);
}

/* Returns whether there is more to remove. Ages count only while the clock can be trusted. */
static bool sweep(const struct service *service, bool by_age)
{
	const struct limits *limits = service->limits;
	const struct retention retention = { store_now(service->store), by_age ? limits->keep_days : 0,
		limits->project_assessments, limits->project_bytes, by_age ? limits->ticket_days : 0, limits->tickets,
		by_age ? limits->audit_days : 0, limits->audits };
	uint64_t count = 0;
	struct err err;

	if (store_sweep(service->store, &retention, &count, &err))
		log_error("", &err);
	if (count)
		log_line(LOG_LEVEL_NOTICE, "retention removed %llu assessments", (unsigned long long)count);
	return count >= RETENTION_BATCH;
}

/* When the machine was started, by the clock on the wall: the same at any time unless that is set. */
static time_t start_of_machine(void)
{
	struct timespec up;

	clock_gettime(CLOCK_BOOTTIME, &up);
	return time(NULL) - up.tv_sec;
}

/* Returns whether the clock was set since the last call. */
static bool was_set(time_t *started)
{
	time_t now = start_of_machine(), stray = now - *started;

	*started = now;
	if (stray >= -STRAY_SECONDS && stray <= STRAY_SECONDS)
		return false;
	log_line(LOG_LEVEL_NOTICE, "the clock was set by %lld seconds: nothing is removed for its age in the next day",
		(long long)stray);
	return true;
}

/* Wait for notes, for a round at most, then for those that follow: uploads wait for the disk behind each write. False
   when it stops. */
static bool wait_for_notes(struct housekeeper *housekeeper)
{
	int64_t until = clock_ms() + TURN_SECONDS * MS;
	bool stopping;

	pthread_mutex_lock(&housekeeper->lock);
	while (!housekeeper->stopping && !housekeeper->notes.count && !housekeeper->lost &&
		clock_wait(&housekeeper->changed, &housekeeper->lock, until))
		;
	until = clock_ms() + GATHER_MS;
	while (!housekeeper->stopping && housekeeper->notes.count < MOST_NOTES / 2 &&
		clock_wait(&housekeeper->changed, &housekeeper->lock, until))
		;
	stopping = housekeeper->stopping;
	pthread_mutex_unlock(&housekeeper->lock);
	return !stopping;
}

static void *keep_house(void *arg)
{
	struct housekeeper *housekeeper = arg;
	time_t renewed = clock_ms() / MS, swept = 0, trusted = 0;

	do {
		time_t now = clock_ms() / MS;

		housekeeper_write_notes(housekeeper);
		if (was_set(&housekeeper->machine_started)) {
			trusted = now + DISTRUST_SECONDS;
			swept = 0;
		}
		if (now - renewed >= TURN_SECONDS) {
			renew_leases(housekeeper->service);
			renewed = now;
		}
		rejudge(housekeeper);
		if (!replica_leads(housekeeper->service->replica))
			swept = 0; /* it begins as soon as it leads */
		else if (!swept || now - swept >= SWEEP_SECONDS)
			swept = sweep(housekeeper->service, now >= trusted) ? 0 : now;
	} while (wait_for_notes(housekeeper));
	housekeeper_write_notes(housekeeper);
	return NULL;
}

/* --- the whole */

int housekeeper_start(const struct service *service, struct housekeeper **ret, struct err *err)
{
	struct housekeeper *housekeeper = mem_zalloc(sizeof(*housekeeper));
	int failed;

	housekeeper->service = service;
	housekeeper->machine_started = start_of_machine();
	housekeeper->stale.after = BUF_UNLIMITED;
	housekeeper->notes.arena = ARENA_INIT(ARENA_UNLIMITED);
	pthread_mutex_init(&housekeeper->lock, NULL);
	clock_cond_init(&housekeeper->changed);
	failed = pthread_create(&housekeeper->thread, NULL, keep_house, housekeeper);
	if (failed) {
		free(housekeeper);
		return err_os(err, ERR_INTERNAL, failed, "cannot start the maintenance thread");
	}
	*ret = housekeeper;
	return 0;
}

void housekeeper_stop(struct housekeeper *housekeeper)
{
	if (!housekeeper)
		return;
	pthread_mutex_lock(&housekeeper->lock);
	housekeeper->stopping = true;
	pthread_cond_signal(&housekeeper->changed);
	pthread_mutex_unlock(&housekeeper->lock);
	pthread_join(housekeeper->thread, NULL);
	pthread_cond_destroy(&housekeeper->changed);
	pthread_mutex_destroy(&housekeeper->lock);
	buf_clear(&housekeeper->stale.after);
	free(housekeeper);
}
