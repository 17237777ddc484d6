#include "server/jobs/finish.h"

#include "server/jobs/log.h"
#include "server/jobs/queue_state.h"
#include "store/upload.h"

/* --- what several clients ask for at once is rendered once; hold the lock */

static bool is_rendering(const struct job *job)
{
	return job->kind == JOB_RENDER || job->kind == JOB_COMPARE;
}

struct job *queue_find_rendering(const struct queue *queue, const struct job *job)
{
	struct job *other = is_rendering(job) ? queue->renderings : NULL;

	while (other && !(str_eq(other->record.id, job->record.id) && str_eq(other->document.form, job->document.form)))
		other = other->next_rendering;
	return other;
}

void queue_note_rendering(struct queue *queue, struct job *job)
{
	if (!is_rendering(job))
		return;
	job->next_rendering = queue->renderings;
	queue->renderings = job;
}

void queue_forget_rendering(struct queue *queue, const struct job *job)
{
	struct job **place = &queue->renderings;

	while (*place && *place != job)
		place = &(*place)->next_rendering;
	if (*place)
		*place = job->next_rendering;
}

/* --- the end of a job */

void queue_wake(struct queue *queue, struct job *job, bool release)
{
	void (*wake)(void *ctx) = job->wake;
	void *wake_ctx = job->wake_ctx;

	job->wake = NULL;
	pthread_mutex_unlock(&queue->lock);
	if (release) /* the woken client holds it, too, and frees its dump before the client hears of the end */
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
		queue_wake(queue, follower, true);
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
	if (job->err.code && !job->cancelled && !job->wake && !job->ticketed) /* of no client, and in no ticket */
		log_error(job->ticket, &job->err);
	ends_ticket = job->hand_over ? job->cancelled && !job->ticketed
				     : job->ticketed && !job->cancelled && !queue->stopping;
	pthread_mutex_unlock(&queue->lock);
	if (ends_ticket)
		job->end_ticket(queue->setup.service, job);
	pthread_mutex_lock(&queue->lock);
	queue_wake(queue, job, true);
	pthread_mutex_unlock(&queue->lock);
}

/* Wake the clients before the document is stored: it can be rendered again. Until then others may still follow. */
static void finish_report(struct queue *queue, struct job *job)
{
	struct err err = { 0 };
	bool keeps = !job->err.code && job->keep;

	pthread_mutex_lock(&queue->lock);
	atomic_store(&job->over, true);
	queue_wake(queue, job, false);
	wake_followers(queue, job);
	pthread_mutex_unlock(&queue->lock);
	if (keeps && job->keep(queue->setup.service, job, &err) < 0)
		log_error("", &err);
	pthread_mutex_lock(&queue->lock);
	queue_forget_rendering(queue, job);
	pthread_mutex_unlock(&queue->lock);
	job_release(job);
}

void *queue_keep_outcomes(void *arg)
{
	struct lane *lane = arg;
	struct queue *queue = lane->queue;
	struct job *job;

	pthread_mutex_lock(&queue->lock);
	while ((job = job_list_take(&lane->ended, 0)) || !queue->lost) {
		if (!job) {
			pthread_cond_wait(&queue->changed, &queue->lock);
			continue;
		}
		pthread_mutex_unlock(&queue->lock);
		if (job->err.code == ERR_STORE_DAMAGED && job->upload)
			upload_note_damage(job->upload);
		if (job->kind == JOB_CHECK)
			finish_check(queue, job);
		else
			finish_report(queue, job);
		pthread_mutex_lock(&queue->lock);
	}
	pthread_mutex_unlock(&queue->lock);
	return NULL;
}
