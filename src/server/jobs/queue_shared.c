#include "server/jobs/queue_shared.h"

#include "base/memory/mem.h"
#include "server/jobs/queue_state.h"

size_t queue_turn(struct queue *queue, struct turn *turn)
{
	struct lane *lane = &queue->lanes[DUMPS];
	CLEANUP(mem_release) struct turn_job *running = NULL;
	size_t next = TURN_NONE;

	pthread_mutex_lock(&queue->lock);
	running = queue_running(lane, &turn->running_count);
	turn->running = running;
	turn->jobs = (*queue->setup.limits)->jobs;
	turn->small_bytes = (*queue->setup.limits)->small_bytes;
	turn->last_owner = lane->last_owner;
	if (!queue->stopping)
		next = turn_next(turn);
	pthread_mutex_unlock(&queue->lock);
	turn->running = NULL;
	return next;
}

size_t queue_list_handed(struct queue *queue, struct arena *arena, struct str **ret)
{
	size_t count = 0;

	pthread_mutex_lock(&queue->lock);
	*ret = arena_alloc(arena, (queue->handed.count + 1) * sizeof(**ret));
	for (const struct job *job = queue->handed.first; job; job = job->next)
		(*ret)[count++] = arena_keep(arena, str_from(job->ticket));
	pthread_mutex_unlock(&queue->lock);
	return count;
}

void queue_end_handed(struct queue *queue, struct str ticket)
{
	struct job *job;

	pthread_mutex_lock(&queue->lock);
	job = job_list_find(&queue->handed, ticket);
	if (job) {
		job_list_take(&queue->handed, job->number);
		job_list_append(&queue->lanes[DUMPS].ended, job);
		pthread_cond_broadcast(&queue->changed);
	}
	pthread_mutex_unlock(&queue->lock);
}
