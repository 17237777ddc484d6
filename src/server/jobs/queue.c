#include "server/jobs/queue.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "base/setup/clock.h"
#include "base/setup/limits.h"
#include "server/jobs/finish.h"
#include "server/jobs/log.h"
#include "server/jobs/queue_state.h"
#include "server/jobs/turn.h"
#include "store/upload.h"

enum { MS = 1000, LOOK_MS = 1000 };

static const struct limits *limits_of(const struct queue *queue)
{
	return *queue->setup.limits;
}

static struct lane *queue_lane_of(struct queue *queue, const struct job *job)
{
	return &queue->lanes[job->upload ? DUMPS : REPORTS];
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
	job_list_append(&lane->ended, job);
	pthread_cond_broadcast(&lane->queue->changed);
}

void queue_cancel_job(struct queue *queue, struct job *job, const char *text)
{
	struct lane *lane = queue_lane_of(queue, job);
	struct err ignored;

	job->cancelled = true;
	err_set(&job->err, ERR_BUSY, "%s", text);
	queue_forget_rendering(queue, job);
	if (job_list_take(&lane->waiting, job->number) || job_list_take(&queue->handed, job->number))
		end_job(lane, job);
	else
		spawner_send(queue->setup.spawner, &(struct spawn){ .number = job->number }, NULL, 0, &ignored);
}

static struct turn_job turn_job_of(const struct job *job)
{
	return (struct turn_job){ .owner = hash_str(hash_seed(), job->owner),
		.bytes = job->upload ? upload_bytes(job->upload) : 0,
		.started = job->started,
		.held = job->ticket_first };
}

/* Returns an array, to be given to free(). */
static struct turn_job *turn_jobs_of(const struct job_list *list)
{
	struct turn_job *jobs = mem_resize(NULL, list->count + 1, sizeof(jobs[0])), *at = jobs;

	for (const struct job *job = list->first; job; job = job->next)
		*at++ = turn_job_of(job);
	return jobs;
}

struct turn_job *queue_running(const struct lane *lane, size_t *ret_count)
{
	struct turn_job *jobs;
	size_t count = 0;

	*ret_count = lane->running.count + lane->waiting.count;
	jobs = mem_resize(NULL, *ret_count + 1, sizeof(jobs[0]));
	for (const struct job *job = lane->running.first; job; job = job->next)
		jobs[count++] = turn_job_of(job);
	for (const struct job *job = lane->waiting.first; job; job = job->next)
		jobs[count++] = turn_job_of(job);
	return jobs;
}

static struct job *next_to_start(struct lane *lane)
{
	const struct limits *limits = limits_of(lane->queue);
	bool dumps = lane == &lane->queue->lanes[DUMPS];
	CLEANUP(mem_release) struct turn_job *running = turn_jobs_of(&lane->running);
	CLEANUP(mem_release) struct turn_job *waiting = turn_jobs_of(&lane->waiting);
	struct turn turn = { dumps ? limits->jobs : limits->renderings, dumps ? limits->small_bytes : 0, lane->started,
		lane->last_owner, running, waiting, lane->running.count, lane->waiting.count };
	size_t next = lane->queue->stopping ? TURN_NONE : turn_next(&turn);
	const struct job *job = lane->waiting.first;

	if (next == TURN_NONE)
		return NULL;
	lane->last_owner = waiting[next].owner;
	lane->started++;
	while (next--)
		job = job->next;
	return job_list_take(&lane->waiting, job->number);
}

static void start_waiting(struct lane *lane)
{
	struct job *job;

	while ((job = next_to_start(lane))) {
		if (start_process(lane->queue, job, &job->err))
			end_job(lane, job);
		else
			job_list_append(&lane->running, job);
	}
}

/* --- threads */

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

		while ((job = job_list_take(&lane->running, 0)) || (job = job_list_take(&lane->waiting, 0))) {
			err_set(&job->err, ERR_BUSY, "the service is stopping");
			end_job(lane, job);
		}
	}
	while (queue->entering.first || queue->handed.first) {
		struct job *job = job_list_take(queue->entering.first ? &queue->entering : &queue->handed, 0);

		job->cancelled = true;
		err_set(&job->err, ERR_BUSY, "the service is stopping");
		end_job(queue_lane_of(queue, job), job);
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
	job_list_append(&queue_lane_of(queue, job)->running, job);
	return true;
}

/* The job that has ended; another one takes its place. NULL: none, or it was started again. */
static struct job *take_ended(struct queue *queue, const struct spawn_end *end)
{
	struct job *job = NULL;

	pthread_mutex_lock(&queue->lock);
	for (size_t i = 0; i < LANES && !job; i++) {
		job = job_list_take(&queue->lanes[i].running, end->number);
		if (job && end->peak_kib > queue->lanes[i].peak_kib)
			queue->lanes[i].peak_kib = end->peak_kib;
		if (job && start_again(queue, job, end))
			job = NULL;
		start_waiting(&queue->lanes[i]);
	}
	pthread_mutex_unlock(&queue->lock);
	if (queue->setup.freed)
		queue->setup.freed(queue->setup.service);
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
		if (job->err.code == ERR_JOB)
			log_line(LOG_LEVEL_ERROR, "job %llu: %s; %llu ms of processor, %llu KiB",
				(unsigned long long)end.number, job->err.text, (unsigned long long)end.processor_ms,
				(unsigned long long)end.peak_kib);
		pthread_mutex_lock(&queue->lock);
		end_job(queue_lane_of(queue, job), job);
		pthread_mutex_unlock(&queue->lock);
	}
	lose_all(queue);
	return NULL;
}

/* --- tickets; hold the lock */

/* The check whose client waits for the shortest time; NULL when none is in a hurry. */
static struct job *first_due(struct queue *queue)
{
	const struct job_list *const lists[] = { &queue->lanes[DUMPS].running, &queue->lanes[DUMPS].waiting,
		&queue->handed };
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
	if (err.code)
		log_error(job->ticket, &err);
	pthread_mutex_lock(&queue->lock);
	job->ticketed = kept;
	job->ticketing = job->ticket_first = false;
	if (kept && job_list_take(&queue->handed, job->number))
		job_release(job);
	start_waiting(queue_lane_of(queue, job));
	pthread_cond_broadcast(&queue->changed);
	if (kept)
		queue_wake(queue, job, true);
	else
		job_release(job);
}

/* Its end may be known before it was handed over: it is in the list from the start. */
static void hand_over(struct queue *queue, struct job *job)
{
	struct err err;
	bool failed;

	job_hold(job);
	job->ticketing = true;
	job_list_append(&queue->handed, job);
	pthread_mutex_unlock(&queue->lock);
	failed = job->hand_over(queue->setup.service, job, &err);
	pthread_mutex_lock(&queue->lock);
	job->ticketing = false;
	job->ticketed = !failed && (job->ticket_first || !job->wake); /* also where the service stops meanwhile */
	pthread_cond_broadcast(&queue->changed);
	if ((failed || job->ticketed) && job_list_take(&queue->handed, job->number)) {
		if (failed) {
			job->err = err;
			end_job(queue_lane_of(queue, job), job);
		} else {
			queue_wake(queue, job, true);
		}
	}
	job_release(job);
}

/* Returns whether the only client that waits for the job has left. */
static bool is_abandoned(const struct job *job)
{
	return job->wake && job->has_left && !job->followed && !job->ticketing && job->has_left(job->wake_ctx);
}

/* End the jobs that no client waits for any more. Returns whether some client is to be looked at again. */
static bool end_abandoned(struct queue *queue)
{
	bool watched = false;

	struct job_list *const lists[] = { &queue->lanes[DUMPS].waiting, &queue->lanes[DUMPS].running,
		&queue->lanes[REPORTS].waiting, &queue->lanes[REPORTS].running, &queue->handed };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		for (struct job *job = lists[i]->first, *next; job; job = next) {
			next = job->next;
			watched |= job->wake && job->has_left;
			if (job->cancelled || !is_abandoned(job))
				continue;
			atomic_store(&job->abandoned, true);
			queue_cancel_job(queue, job, "the client has left");
		}
	}
	return watched;
}

static void *watch_clock(void *arg)
{
	struct queue *queue = arg;

	pthread_mutex_lock(&queue->lock);
	while (!queue->lost) {
		struct job *entering = job_list_take(&queue->entering, 0);
		struct job *job = first_due(queue);
		int64_t due = job ? job->answer_by_ms : INT64_MAX, now = clock_ms();

		if (entering)
			hand_over(queue, entering);
		else if (due <= now)
			give_ticket(queue, job);
		if (entering || due <= now)
			continue;
		if (end_abandoned(queue) && due > now + LOOK_MS)
			due = now + LOOK_MS;
		if (due == INT64_MAX)
			pthread_cond_wait(&queue->changed, &queue->lock);
		else
			clock_wait(&queue->changed, &queue->lock, due);
	}
	pthread_mutex_unlock(&queue->lock);
	return NULL;
}

/* --- the whole */

int queue_start(const struct queue_setup *setup, struct queue **ret, struct err *err)
{
	struct queue *queue = mem_zalloc(sizeof(*queue));
	int failed;

	queue->setup = *setup;
	pthread_mutex_init(&queue->lock, NULL);
	clock_cond_init(&queue->changed);
	for (size_t i = 0; i < LANES; i++)
		queue->lanes[i].queue = queue;
	failed = pthread_create(&queue->receiver, NULL, receive, queue);
	if (!failed)
		failed = pthread_create(&queue->clock, NULL, watch_clock, queue);
	for (size_t i = 0; i < LANES * KEEPERS && !failed; i++) {
		struct lane *lane = &queue->lanes[i / KEEPERS];

		failed = pthread_create(&lane->keepers[i % KEEPERS], NULL, queue_keep_outcomes, lane);
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

int queue_check(
	const struct limits *limits, const struct job *job, uint64_t waiting, uint64_t of_caller, struct err *err)
{
	if (job->caller.len && of_caller >= job->caller_jobs) {
		err_set(err, ERR_RATE, "this client has %llu jobs waiting or running",
			(unsigned long long)job->caller_jobs);
		return err_hint(err, "send it again when one of them has finished");
	}
	if (waiting >= limits->job_queue) {
		err_set(err, ERR_BUSY, "the queue is full: %llu jobs wait", (unsigned long long)waiting);
		return err_hint(err, "send it again later");
	}
	return 0;
}

static int add_to_lane(struct queue *queue, struct job *job, struct err *err)
{
	struct lane *lane = queue_lane_of(queue, job);
	uint64_t of_caller = job_list_count_of(&lane->waiting, job->caller) +
			     job_list_count_of(&lane->running, job->caller);
	int status = queue_check(limits_of(queue), job, lane->waiting.count, of_caller, err);

	if (status)
		return status;
	job->number = ++queue->last_number;
	job->started = lane->started;
	job_hold(job);
	if (job->hand_over) {
		job_list_append(&queue->entering, job);
	} else {
		job_list_append(&lane->waiting, job);
		queue_note_rendering(queue, job);
		start_waiting(lane);
	}
	pthread_cond_broadcast(&queue->changed);
	return 0;
}

int queue_add(struct queue *queue, struct job *job, struct err *err)
{
	bool over = false;
	int status = 0;

	pthread_mutex_lock(&queue->lock);
	if (!job->leader && (job->leader = queue_find_rendering(queue, job)))
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

bool queue_follow(struct queue *queue, struct job *job)
{
	if (!queue)
		return false;
	pthread_mutex_lock(&queue->lock);
	job->leader = queue_find_rendering(queue, job);
	if (job->leader) {
		job_hold(job->leader);
		job->leader->followed = true;
	}
	pthread_mutex_unlock(&queue->lock);
	return job->leader != NULL;
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
