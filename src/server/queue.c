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

struct queue {
	const struct service *service;
	const struct spawner *spawner;
	pthread_mutex_t lock;   /* of all that follows */
	pthread_cond_t changed; /* something ended, or the queue stops */
	struct job_list waiting, running, ended;
	uint64_t last_number;
	bool stopping, lost;
	pthread_t receiver, keeper;
};

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

static void end_job(struct queue *queue, struct job *job)
{
	append(&queue->ended, job);
	pthread_cond_broadcast(&queue->changed);
}

static void start_waiting(struct queue *queue)
{
	while (queue->waiting.count && queue->running.count < queue->service->limits.jobs && !queue->stopping) {
		struct job *job = take_out(&queue->waiting, 0);

		if (start_process(queue, job, &job->err))
			end_job(queue, job);
		else
			append(&queue->running, job);
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
	struct job *job;

	pthread_mutex_lock(&queue->lock);
	queue->lost = true;
	while ((job = take_out(&queue->running, 0)) || (job = take_out(&queue->waiting, 0))) {
		err_set(&job->err, ERR_BUSY, "the service ends");
		end_job(queue, job);
	}
	if (!queue->stopping)
		kill(getpid(), SIGTERM); /* its manager starts the service again */
	pthread_mutex_unlock(&queue->lock);
}

static void *receive(void *arg)
{
	struct queue *queue = arg;
	struct spawn_end end;
	struct job *job;

	while (spawner_receive(queue->spawner, &end)) {
		pthread_mutex_lock(&queue->lock);
		job = take_out(&queue->running, end.number);
		start_waiting(queue);
		pthread_mutex_unlock(&queue->lock);
		if (!job)
			continue;
		job_collect(job, &queue->service->limits, &end);
		log_end(job, &end);
		pthread_mutex_lock(&queue->lock);
		end_job(queue, job);
		pthread_mutex_unlock(&queue->lock);
	}
	lose_all(queue);
	return NULL;
}

static void finish(const struct queue *queue, struct job *job)
{
	void (*wake)(void *ctx) = job->wake;
	void *wake_ctx = job->wake_ctx;

	if (!job->err.code && job->keep)
		job->keep(queue->service, job, &job->err);
	job_release(job); /* who is woken holds it, too, and frees its dump before the client hears of the end */
	wake(wake_ctx);
}

static void *keep(void *arg)
{
	struct queue *queue = arg;
	struct job *job;

	pthread_mutex_lock(&queue->lock);
	while ((job = take_out(&queue->ended, 0)) || !queue->lost) {
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
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->changed, NULL);
	failed = pthread_create(&queue->receiver, NULL, receive, queue);
	if (!failed)
		failed = pthread_create(&queue->keeper, NULL, keep, queue);
	if (failed)
		return err_os(err, ERR_INTERNAL, failed, "cannot start a thread for jobs");
	*ret = queue;
	return 0;
}

int queue_add(struct queue *queue, struct job *job, struct err *err)
{
	const struct limits *limits = &queue->service->limits;
	int status = 0;

	pthread_mutex_lock(&queue->lock);
	if (queue->stopping || queue->lost) {
		status = err_set(err, ERR_BUSY, "the service ends");
	} else if (queue->waiting.count >= limits->job_queue) {
		err_set(err, ERR_BUSY, "%zu dumps wait already", queue->waiting.count);
		status = err_hint(err, "send it again later");
	} else {
		job->number = ++queue->last_number;
		job_hold(job);
		append(&queue->waiting, job);
		start_waiting(queue);
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
	pthread_mutex_lock(&queue->lock);
	pthread_cond_broadcast(&queue->changed);
	pthread_mutex_unlock(&queue->lock);
	pthread_join(queue->keeper, NULL);
	pthread_cond_destroy(&queue->changed);
	pthread_mutex_destroy(&queue->lock);
	free(queue);
	return sound;
}
