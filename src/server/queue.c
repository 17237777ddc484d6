#include "server/queue.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "server/log.h"

struct job_list {
	struct job *first, *last;
	size_t count;
};

/* Checks take long, what is made of reports is soon done: neither waits for the other. */
enum { CHECKS, REPORTS, LANES };

struct lane {
	struct queue *queue;
	struct job_list waiting, running, ended;
	size_t most_running;
	pthread_t keeper;
};

struct queue {
	const struct service *service;
	const struct spawner *spawner;
	pthread_mutex_t lock;   /* of all that follows */
	pthread_cond_t changed; /* something ended, or the queue stops */
	struct lane lanes[LANES];
	uint64_t last_number;
	bool stopping, lost;
	pthread_t receiver;
};

static struct lane *lane_of(struct queue *queue, const struct job *job)
{
	return &queue->lanes[job->kind == JOB_CHECK ? CHECKS : REPORTS];
}

/* --- lists; hold the lock */

static void append(struct job_list *list, struct job *job)
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

/* --- starting; hold the lock */

static int start_process(const struct queue *queue, const struct job *job, struct err *err)
{
	const struct limits *limits = &queue->service->limits;
	struct spawn spawn = { job->number, job->kind, (uint32_t)limits->job_seconds };
	size_t files = 0;

	while (files < SPAWNER_FILES && job->files[files] >= 0)
		files++;
	return spawner_send(queue->spawner, &spawn, job->files, files, err);
}

static void end_job(struct lane *lane, struct job *job)
{
	append(&lane->ended, job);
	pthread_cond_broadcast(&lane->queue->changed);
}

static void start_waiting(struct lane *lane)
{
	while (lane->waiting.count && lane->running.count < lane->most_running && !lane->queue->stopping) {
		struct job *job = take_out(&lane->waiting, 0);

		if (start_process(lane->queue, job, &job->err))
			end_job(lane, job);
		else
			append(&lane->running, job);
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
	pthread_mutex_lock(&queue->lock);
	queue->lost = true;
	for (size_t i = 0; i < LANES; i++) {
		struct lane *lane = &queue->lanes[i];
		struct job *job;

		while ((job = take_out(&lane->running, 0)) || (job = take_out(&lane->waiting, 0))) {
			err_set(&job->err, ERR_BUSY, "the service ends");
			end_job(lane, job);
		}
	}
	pthread_cond_broadcast(&queue->changed);
	if (!queue->stopping)
		kill(getpid(), SIGTERM); /* its manager starts the service again */
	pthread_mutex_unlock(&queue->lock);
}

/* The job that has ended; another one takes its place. */
static struct job *take_ended(struct queue *queue, uint64_t number)
{
	struct job *job = NULL;

	pthread_mutex_lock(&queue->lock);
	for (size_t i = 0; i < LANES && !job; i++) {
		job = take_out(&queue->lanes[i].running, number);
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

	while (spawner_receive(queue->spawner, &end)) {
		job = take_ended(queue, end.number);
		if (!job)
			continue;
		job_collect(job, &queue->service->limits, &end);
		log_end(job, &end);
		pthread_mutex_lock(&queue->lock);
		end_job(lane_of(queue, job), job);
		pthread_mutex_unlock(&queue->lock);
	}
	lose_all(queue);
	return NULL;
}

/* An assessment is kept before its client hears of it; what was rendered can be rendered again. */
static void finish(const struct queue *queue, struct job *job)
{
	void (*wake)(void *ctx) = job->wake;
	void *wake_ctx = job->wake_ctx;
	bool keep_first = job->kind == JOB_CHECK, keeps = !job->err.code && job->keep;
	struct err err = { 0 };

	if (keeps && keep_first)
		job->keep(queue->service, job, &job->err);
	if (keep_first) /* who is woken holds it, too, and frees its dump before the client hears of the end */
		job_release(job);
	wake(wake_ctx);
	if (keep_first)
		return;
	if (keeps && job->keep(queue->service, job, &err) < 0)
		log_error("", &err);
	job_release(job);
}

static void *keep(void *arg)
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
		finish(queue, job);
		pthread_mutex_lock(&queue->lock);
	}
	pthread_mutex_unlock(&queue->lock);
	return NULL;
}

/* --- the whole */

int queue_start(const struct service *service, const struct spawner *spawner, struct queue **ret, struct err *err)
{
	struct queue *queue = mem_zalloc(sizeof(*queue));
	int failed;

	queue->service = service;
	queue->spawner = spawner;
	queue->lanes[CHECKS].most_running = service->limits.jobs;
	queue->lanes[REPORTS].most_running = service->limits.renderings;
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->changed, NULL);
	failed = pthread_create(&queue->receiver, NULL, receive, queue);
	for (size_t i = 0; i < LANES && !failed; i++) {
		queue->lanes[i].queue = queue;
		failed = pthread_create(&queue->lanes[i].keeper, NULL, keep, &queue->lanes[i]);
	}
	if (failed)
		return err_os(err, ERR_INTERNAL, failed, "cannot start a thread for jobs");
	*ret = queue;
	return 0;
}

int queue_add(struct queue *queue, struct job *job, struct err *err)
{
	struct lane *lane = lane_of(queue, job);
	int status = 0;

	pthread_mutex_lock(&queue->lock);
	if (queue->stopping || queue->lost) {
		status = err_set(err, ERR_BUSY, "the service ends");
	} else if (lane->waiting.count >= queue->service->limits.job_queue) {
		err_set(err, ERR_BUSY, "%zu others wait already", lane->waiting.count);
		status = err_hint(err, "send it again later");
	} else {
		job->number = ++queue->last_number;
		job_hold(job);
		append(&lane->waiting, job);
		start_waiting(lane);
	}
	pthread_mutex_unlock(&queue->lock);
	return status;
}

bool queue_stop(struct queue *queue)
{
	bool sound;

	pthread_mutex_lock(&queue->lock);
	sound = !queue->lost;
	queue->stopping = true;
	pthread_mutex_unlock(&queue->lock);
	spawner_stop(queue->spawner); /* the receiver ends all jobs, then the keeper has woken everybody */
	pthread_join(queue->receiver, NULL);
	for (size_t i = 0; i < LANES; i++)
		pthread_join(queue->lanes[i].keeper, NULL);
	pthread_cond_destroy(&queue->changed);
	pthread_mutex_destroy(&queue->lock);
	free(queue);
	return sound;
}
