#include "server/jobs/queue.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "base/setup/limits.h"
#include "server/jobs/log.h"
#include "store/upload.h"

enum { MS = 1000, NS_A_MS = 1000 * 1000 };

struct job_list {
	struct job *first, *last;
	size_t count;
};

/* Checks take long, what is made of reports is soon done: neither waits for the other. */
enum { CHECKS, REPORTS, LANES };

/* While one outcome is written to the disk, the next ones are on their way there. */
enum { KEEPERS = 4 };

struct lane {
	struct queue *queue;
	struct job_list waiting, running, ended;
	uint64_t last_owner; /* hash of the caller of the job that was started last */
	pthread_t keepers[KEEPERS];
};

struct queue {
	struct queue_setup setup;
	pthread_mutex_t lock;   /* of all that follows */
	pthread_cond_t changed; /* something ended, or the queue stops */
	struct lane lanes[LANES];
	struct job *renderings; /* that others of the same report and form may follow, by next_rendering */
	uint64_t last_number;
	bool stopping, lost;
	pthread_t receiver, clock;
};

static const struct limits *limits_of(const struct queue *queue)
{
	return *queue->setup.limits;
}

static struct lane *lane_of(struct queue *queue, const struct job *job)
{
	return &queue->lanes[job->kind == JOB_CHECK ? CHECKS : REPORTS];
}

/* --- lists; hold the lock */

static void append_job(struct job_list *list, struct job *job)
{
	job->next = NULL;
	*(list->last ? &list->last->next : &list->first) = job;
	list->last = job;
	list->count++;
}

/* Takes the job of that number out, or the first one for 0. NULL when it is not there. */
static struct job *take_out(struct job_list *list, uint64_t number)
{
	struct job *before = NULL, *job = list->first;

	while (job && number && job->number != number) {
		before = job;
		job = job->next;
	}
	if (!job)
		return NULL;
	*(before ? &before->next : &list->first) = job->next;
	if (list->last == job)
		list->last = before;
	list->count--;
	return job;
}

static uint64_t count_of_owner(const struct job_list *list, struct str owner)
{
	uint64_t count = 0;

	for (const struct job *job = list->first; job; job = job->next)
		count += str_eq(job->owner, owner);
	return count;
}

/* --- what several clients ask for at once is rendered once; hold the lock */

static struct job *find_rendering(const struct queue *queue, const struct job *job)
{
	struct job *other = job->kind == JOB_RENDER ? queue->renderings : NULL;

	while (other && !(str_eq(other->record.id, job->record.id) && str_eq(other->document.form, job->document.form)))
		other = other->next_rendering;
	return other;
}

static void note_rendering(struct queue *queue, struct job *job)
{
	if (job->kind != JOB_RENDER)
		return;
	job->next_rendering = queue->renderings;
	queue->renderings = job;
}

static void forget_rendering(struct queue *queue, const struct job *job)
{
	struct job **place = &queue->renderings;

	while (*place && *place != job)
		place = &(*place)->next_rendering;
	if (*place)
		*place = job->next_rendering;
}

bool queue_follow(struct queue *queue, struct job *job)
{
	if (!queue)
		return false;
	pthread_mutex_lock(&queue->lock);
	job->leader = find_rendering(queue, job);
	if (job->leader)
		job_hold(job->leader);
	pthread_mutex_unlock(&queue->lock);
	return job->leader != NULL;
}

/* --- starting; hold the lock */

static int start_process(const struct queue *queue, const struct job *job, struct err *err)
{
	const struct limits *limits = limits_of(queue);
	struct spawn spawn = { job->number, job->kind, (uint32_t)limits->job_seconds };
	size_t files = 0;

	while (files < SPAWNER_FILES && job->files[files] >= 0)
		files++;
	return spawner_send(queue->setup.spawner, &spawn, job->files, files, err);
}

static void end_job(struct lane *lane, struct job *job)
{
	append_job(&lane->ended, job);
	pthread_cond_broadcast(&lane->queue->changed);
}

static uint64_t most_running(const struct lane *lane)
{
	const struct limits *limits = limits_of(lane->queue);

	return lane == &lane->queue->lanes[CHECKS] ? limits->jobs : limits->renderings;
}

/* The first of those whose caller has the fewest running, and was not the last one to start: who sends many does not
   keep others waiting. */
static struct job *next_to_start(struct lane *lane)
{
	const struct job *next = NULL;
	uint64_t least = UINT64_MAX;

	if (lane->running.count >= most_running(lane) || lane->queue->stopping)
		return NULL;
	for (const struct job *job = lane->waiting.first; job && least; job = job->next) {
		bool again = hash_str(hash_seed(), job->owner) == lane->last_owner;
		uint64_t weight = 2 * count_of_owner(&lane->running, job->owner) + again;

		if (weight < least && !job->ticket_first) {
			next = job;
			least = weight;
		}
	}
	if (!next)
		return NULL;
	lane->last_owner = hash_str(hash_seed(), next->owner);
	return take_out(&lane->waiting, next->number);
}

static void start_waiting(struct lane *lane)
{
	struct job *job;

	while ((job = next_to_start(lane))) {
		if (start_process(lane->queue, job, &job->err))
			end_job(lane, job);
		else
			append_job(&lane->running, job);
	}
}

/* --- threads */

static void log_end(const struct job *job, const struct spawn_end *end)
{
	if (job->err.code == ERR_JOB)
		log_line(LOG_LEVEL_ERROR, "job %llu: %s; %llu ms of processor, %llu KiB",
			(unsigned long long)end->number, job->err.text, (unsigned long long)end->processor_ms,
			(unsigned long long)end->peak_kib);
}

/* The spawner is gone: nothing runs any more, nothing can be started. */
static void lose_all(struct queue *queue)
{
	bool signals;

	pthread_mutex_lock(&queue->lock);
	signals = !queue->stopping;
	queue->lost = queue->stopping = true; /* tickets stay queued */
	for (size_t i = 0; i < LANES; i++) {
		struct lane *lane = &queue->lanes[i];
		struct job *job;

		while ((job = take_out(&lane->running, 0)) || (job = take_out(&lane->waiting, 0))) {
			err_set(&job->err, ERR_BUSY, "the service is stopping");
			end_job(lane, job);
		}
	}
	pthread_cond_broadcast(&queue->changed);
	if (signals)
		kill(getpid(), SIGTERM); /* its manager starts the service again */
	pthread_mutex_unlock(&queue->lock);
}

/* Returns whether an acknowledged job was killed from outside, or by a system without memory, and is started again: the
   reason does not lie in its dump. Hold the lock. */
static bool start_again(struct queue *queue, struct job *job, const struct spawn_end *end)
{
	const struct limits *limits = limits_of(queue);
	bool killed = !end->never && !end->late && WIFSIGNALED(end->status) && WTERMSIG(end->status) == SIGKILL &&
		      end->processor_ms < limits->job_processor_seconds * MS;

	if (!killed || !job->ticketed || job->cancelled || queue->stopping || ++job->attempts >= limits->job_attempts)
		return false;
	for (size_t i = 0; i < SPAWNER_FILES && job->files[i] >= 0; i++)
		lseek(job->files[i], 0, SEEK_SET);
	if (ftruncate(job->files[JOB_OUTCOME], 0) || start_process(queue, job, &job->err))
		return false;
	append_job(&lane_of(queue, job)->running, job);
	return true;
}

/* The job that has ended; another one takes its place. NULL: none, or it was started again. */
static struct job *take_ended(struct queue *queue, const struct spawn_end *end)
{
	struct job *job = NULL;

	pthread_mutex_lock(&queue->lock);
	for (size_t i = 0; i < LANES && !job; i++) {
		job = take_out(&queue->lanes[i].running, end->number);
		if (job && start_again(queue, job, end))
			job = NULL;
		start_waiting(&queue->lanes[i]);
	}
	pthread_mutex_unlock(&queue->lock);
	return job;
}

static void *receive(void *arg)
{
	struct queue *queue = arg;
	struct spawn_end end;
	struct job *job;

	while (spawner_receive(queue->setup.spawner, &end)) {
		job = take_ended(queue, &end);
		if (!job)
			continue;
		if (!job->err.code) /* else it could not be started again */
			job_collect(job, limits_of(queue), &end);
		log_end(job, &end);
		pthread_mutex_lock(&queue->lock);
		end_job(lane_of(queue, job), job);
		pthread_mutex_unlock(&queue->lock);
	}
	lose_all(queue);
	return NULL;
}

/* Detach the job's follower and wake it; hold the lock, which is released meanwhile. */
static void wake_waiting(struct queue *queue, struct job *job, bool release)
{
	void (*wake)(void *ctx) = job->wake;
	void *wake_ctx = job->wake_ctx;

	job->wake = NULL;
	pthread_mutex_unlock(&queue->lock);
	if (release) /* who is woken holds it, too, and frees its dump before the client hears of the end */
		job_release(job);
	if (wake)
		wake(wake_ctx);
	pthread_mutex_lock(&queue->lock);
}

/* Hold the lock, which is released meanwhile. */
static void wake_followers(struct queue *queue, struct job *job)
{
	struct job *follower;

	while ((follower = job->followers)) {
		job->followers = follower->next;
		follower->err = job->err;
		wake_waiting(queue, follower, true);
	}
}

/* An assessment is kept before its client hears of it, and after its ticket. */
static void finish_check(struct queue *queue, struct job *job)
{
	bool ends_ticket;

	pthread_mutex_lock(&queue->lock);
	while (job->ticketing)
		pthread_cond_wait(&queue->changed, &queue->lock);
	pthread_mutex_unlock(&queue->lock);
	if (!job->err.code && !job->cancelled)
		job->keep(queue->setup.service, job, &job->err);
	pthread_mutex_lock(&queue->lock);
	atomic_store(&job->over, true);
	ends_ticket = job->ticketed && !job->cancelled && !queue->stopping;
	pthread_mutex_unlock(&queue->lock);
	if (ends_ticket)
		job->end_ticket(queue->setup.service, job);
	pthread_mutex_lock(&queue->lock);
	wake_waiting(queue, job, true);
	pthread_mutex_unlock(&queue->lock);
}

/* Wake the clients before the document is stored: it can be rendered again. Until then others may still follow. */
static void finish_report(struct queue *queue, struct job *job)
{
	struct err err = { 0 };
	bool keeps = !job->err.code && job->keep;

	pthread_mutex_lock(&queue->lock);
	atomic_store(&job->over, true);
	wake_waiting(queue, job, false);
	wake_followers(queue, job);
	pthread_mutex_unlock(&queue->lock);
	if (keeps && job->keep(queue->setup.service, job, &err) < 0)
		log_error("", &err);
	pthread_mutex_lock(&queue->lock);
	forget_rendering(queue, job);
	pthread_mutex_unlock(&queue->lock);
	job_release(job);
}

static void finish_job(struct queue *queue, struct job *job)
{
	if (job->err.code == ERR_STORE_DAMAGED && job->upload)
		upload_note_damage(job->upload);
	if (job->kind == JOB_CHECK)
		finish_check(queue, job);
	else
		finish_report(queue, job);
}

static void *keep_outcomes(void *arg)
{
	struct lane *lane = arg;
	struct queue *queue = lane->queue;
	struct job *job;

	pthread_mutex_lock(&queue->lock);
	while ((job = take_out(&lane->ended, 0)) || !queue->lost) {
		if (!job) {
			pthread_cond_wait(&queue->changed, &queue->lock);
			continue;
		}
		pthread_mutex_unlock(&queue->lock);
		finish_job(queue, job);
		pthread_mutex_lock(&queue->lock);
	}
	pthread_mutex_unlock(&queue->lock);
	return NULL;
}

/* --- tickets; hold the lock */

int64_t queue_time_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / NS_A_MS;
}

/* The check whose client waits for the shortest time; NULL when none is in a hurry. */
static struct job *first_due(struct queue *queue)
{
	const struct job_list *const lists[] = { &queue->lanes[CHECKS].running, &queue->lanes[CHECKS].waiting };
	struct job *first = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		for (struct job *job = lists[i]->first; job; job = job->next) {
			if (job->wake && job->answer_by_ms >= 0 && (!first || job->answer_by_ms < first->answer_by_ms))
				first = job;
		}
	}
	return first;
}

/* A client whose ticket cannot be kept waits on. */
static void give_ticket(struct queue *queue, struct job *job)
{
	struct err err = { 0 };
	bool kept;

	job_hold(job);
	job->answer_by_ms = -1;
	job->ticketing = true;
	pthread_mutex_unlock(&queue->lock);
	kept = !job->keep_ticket(queue->setup.service, job, &err);
	if (!kept)
		log_error(job->ticket, &err);
	pthread_mutex_lock(&queue->lock);
	job->ticketed = kept;
	job->ticketing = job->ticket_first = false;
	start_waiting(lane_of(queue, job));
	pthread_cond_broadcast(&queue->changed);
	if (kept)
		wake_waiting(queue, job, true);
	else
		job_release(job);
}

static void *watch_clock(void *arg)
{
	struct queue *queue = arg;

	pthread_mutex_lock(&queue->lock);
	while (!queue->lost) {
		struct job *job = first_due(queue);
		struct timespec until;

		if (!job) {
			pthread_cond_wait(&queue->changed, &queue->lock);
		} else if (job->answer_by_ms > queue_time_ms()) {
			until.tv_sec = job->answer_by_ms / 1000;
			until.tv_nsec = job->answer_by_ms % 1000 * NS_A_MS;
			pthread_cond_timedwait(&queue->changed, &queue->lock, &until);
		} else {
			give_ticket(queue, job);
		}
	}
	pthread_mutex_unlock(&queue->lock);
	return NULL;
}

static struct job *find_ticket(const struct job_list *list, struct str ticket)
{
	struct job *job = list->first;

	while (job && !str_eq(str_from(job->ticket), ticket))
		job = job->next;
	return job;
}

struct queue_look queue_look(struct queue *queue, struct str ticket)
{
	struct lane *lane = &queue->lanes[CHECKS];
	struct queue_look look = { 0 };
	const struct job *job;
	off_t at;

	pthread_mutex_lock(&queue->lock);
	job = find_ticket(&lane->running, ticket);
	look.running = job != NULL;
	look.found = look.running || find_ticket(&lane->waiting, ticket);
	if (job) { /* its process reads through the same open file */
		at = lseek(job->files[JOB_INPUT], 0, SEEK_CUR);
		look.read_bytes = at > 0 ? (uint64_t)at : 0;
		look.input_bytes = job->record.input_bytes;
	}
	pthread_mutex_unlock(&queue->lock);
	return look;
}

/* Hold the lock. */
static void list_jobs(const struct job_list *jobs, bool running, struct arena *arena, struct queue_item **to)
{
	for (const struct job *job = jobs->first; job; job = job->next) {
		bool check = job->kind == JOB_CHECK;
		off_t at = check && running ? lseek(job->files[JOB_INPUT], 0, SEEK_CUR) : 0;

		*(*to)++ = (struct queue_item){ .ticket = job->ticketed ? arena_keep(arena, str_from(job->ticket))
									: STR(""),
			.name = arena_keep(arena, check ? job->record.name : job->form),
			.owner = arena_keep(arena, job->owner),
			.project = arena_keep(arena, job->run.project),
			.check = check,
			.running = running,
			.read_bytes = at > 0 ? (uint64_t)at : 0,
			.input_bytes = check ? job->record.input_bytes : 0 };
	}
}

size_t queue_list(struct queue *queue, struct arena *arena, struct queue_item **ret)
{
	struct queue_item *at;
	size_t count = 0;

	pthread_mutex_lock(&queue->lock);
	for (size_t i = 0; i < LANES; i++)
		count += queue->lanes[i].running.count + queue->lanes[i].waiting.count;
	at = *ret = arena_alloc(arena, (count + 1) * sizeof(**ret));
	for (size_t i = 0; i < LANES; i++)
		list_jobs(&queue->lanes[i].running, true, arena, &at);
	for (size_t i = 0; i < LANES; i++)
		list_jobs(&queue->lanes[i].waiting, false, arena, &at);
	pthread_mutex_unlock(&queue->lock);
	return count;
}

bool queue_rests(struct queue *queue)
{
	struct lane *lane = &queue->lanes[CHECKS];
	bool rests;

	pthread_mutex_lock(&queue->lock);
	rests = !queue->stopping && !lane->waiting.first && !lane->running.first;
	pthread_mutex_unlock(&queue->lock);
	return rests;
}

bool queue_cancel(struct queue *queue, struct str ticket)
{
	struct lane *lane = &queue->lanes[CHECKS];
	struct err ignored;
	struct job *waiting, *running;

	pthread_mutex_lock(&queue->lock);
	waiting = find_ticket(&lane->waiting, ticket);
	running = find_ticket(&lane->running, ticket);
	if (waiting) {
		waiting->cancelled = true;
		err_set(&waiting->err, ERR_BUSY, "the job was cancelled");
		end_job(lane, take_out(&lane->waiting, waiting->number));
	} else if (running) {
		running->cancelled = true;
		spawner_send(queue->setup.spawner, &(struct spawn){ .number = running->number }, NULL, 0, &ignored);
	}
	pthread_mutex_unlock(&queue->lock);
	return waiting || running;
}

/* --- the whole */

int queue_start(const struct queue_setup *setup, struct queue **ret, struct err *err)
{
	struct queue *queue = mem_zalloc(sizeof(*queue));
	pthread_condattr_t monotonic;
	int failed;

	queue->setup = *setup;
	pthread_mutex_init(&queue->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&queue->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	failed = pthread_create(&queue->receiver, NULL, receive, queue);
	if (!failed)
		failed = pthread_create(&queue->clock, NULL, watch_clock, queue);
	for (size_t i = 0; i < LANES * KEEPERS && !failed; i++) {
		struct lane *lane = &queue->lanes[i / KEEPERS];

		lane->queue = queue;
		failed = pthread_create(&lane->keepers[i % KEEPERS], NULL, keep_outcomes, lane);
	}
	if (failed)
		return err_os(err, ERR_INTERNAL, failed, "cannot start a thread for jobs");
	*ret = queue;
	return 0;
}

/* Returns whether the job is to be woken at once, as its leader is over. Hold the lock. */
static bool follow_leader(struct job *job)
{
	struct job *leader = job->leader;

	if (atomic_load(&leader->over)) {
		job->err = leader->err;
		return true;
	}
	job_hold(job);
	job->next = leader->followers;
	leader->followers = job;
	return false;
}

static int add_to_lane(struct queue *queue, struct job *job, struct err *err)
{
	struct lane *lane = lane_of(queue, job);
	int status = 0;

	if (job->owner.len && count_of_owner(&lane->waiting, job->owner) + count_of_owner(&lane->running, job->owner) >=
				      job->owner_jobs) {
		err_set(err, ERR_RATE, "this client has %llu jobs waiting or running",
			(unsigned long long)job->owner_jobs);
		status = err_hint(err, "send it again when one of them has finished");
	} else if (lane->waiting.count >= limits_of(queue)->job_queue) {
		err_set(err, ERR_BUSY, "the queue is full: %zu jobs wait", lane->waiting.count);
		status = err_hint(err, "send it again later");
	} else {
		job->number = ++queue->last_number;
		job_hold(job);
		append_job(&lane->waiting, job);
		note_rendering(queue, job);
		start_waiting(lane);
		pthread_cond_broadcast(&queue->changed);
	}
	return status;
}

int queue_add(struct queue *queue, struct job *job, struct err *err)
{
	bool over = false;
	int status = 0;

	pthread_mutex_lock(&queue->lock);
	if (!job->leader && (job->leader = find_rendering(queue, job)))
		job_hold(job->leader);
	if (queue->stopping || queue->lost)
		status = err_set(err, ERR_BUSY, "the service is stopping");
	else if (job->leader)
		over = follow_leader(job);
	else
		status = add_to_lane(queue, job, err);
	pthread_mutex_unlock(&queue->lock);
	if (over)
		job->wake(job->wake_ctx);
	return status;
}

bool queue_stop(struct queue *queue)
{
	bool sound;

	pthread_mutex_lock(&queue->lock);
	sound = !queue->lost;
	queue->stopping = true;
	pthread_mutex_unlock(&queue->lock);
	spawner_stop(queue->setup.spawner); /* the receiver ends all jobs, and the keepers have woken all followers */
	pthread_join(queue->receiver, NULL);
	pthread_join(queue->clock, NULL);
	for (size_t i = 0; i < LANES * KEEPERS; i++)
		pthread_join(queue->lanes[i / KEEPERS].keepers[i % KEEPERS], NULL);
	return sound;
}

void queue_free(struct queue *queue)
{
	if (!queue)
		return;
	pthread_cond_destroy(&queue->changed);
	pthread_mutex_destroy(&queue->lock);
	free(queue);
}
