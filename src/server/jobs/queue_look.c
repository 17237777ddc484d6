#include "server/jobs/queue_look.h"

#include <unistd.h>

#include "server/jobs/queue_state.h"

struct queue_look queue_look(struct queue *queue, struct str ticket)
{
	struct lane *lane = &queue->lanes[DUMPS];
	struct queue_look look = { 0 };
	const struct job *job;
	off_t at;

	pthread_mutex_lock(&queue->lock);
	job = job_list_find(&lane->running, ticket);
	look.running = job != NULL;
	look.found = look.running || job_list_find(&lane->waiting, ticket);
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
			.caller = arena_keep(arena, job->caller),
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

struct queue_peaks queue_peaks(struct queue *queue)
{
	enum { KIB = 1024 };
	struct queue_peaks peaks;

	pthread_mutex_lock(&queue->lock);
	peaks = (struct queue_peaks){ queue->lanes[DUMPS].peak_kib * KIB, queue->lanes[REPORTS].peak_kib * KIB };
	pthread_mutex_unlock(&queue->lock);
	return peaks;
}

bool queue_rests(struct queue *queue)
{
	struct lane *lane = &queue->lanes[DUMPS];
	bool rests;

	pthread_mutex_lock(&queue->lock);
	rests = !queue->stopping && !lane->waiting.first && !lane->running.first;
	pthread_mutex_unlock(&queue->lock);
	return rests;
}

bool queue_cancel(struct queue *queue, struct str ticket)
{
	const struct lane *lane = &queue->lanes[DUMPS];
	struct job *job;

	pthread_mutex_lock(&queue->lock);
	job = job_list_find(&lane->waiting, ticket);
	if (!job)
		job = job_list_find(&lane->running, ticket);
	if (job)
		queue_cancel_job(queue, job, "the job was cancelled");
	pthread_mutex_unlock(&queue->lock);
	return job;
}
