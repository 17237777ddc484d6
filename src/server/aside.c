#include "server/aside.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory/mem.h"

struct aside {
	pthread_mutex_t lock; /* of all that follows but the threads */
	pthread_cond_t changed;
	struct aside_task *first, **last;
	size_t waiting;
	bool stopping;
	size_t thread_count;
	pthread_t threads[];
};

/* The next one, or NULL at the end. */
static struct aside_task *take_task(struct aside *aside)
{
	struct aside_task *task;

	pthread_mutex_lock(&aside->lock);
	while (!aside->first && !aside->stopping)
		pthread_cond_wait(&aside->changed, &aside->lock);
	task = aside->first;
	if (task) {
		aside->first = task->next;
		aside->last = aside->first ? aside->last : &aside->first;
		aside->waiting--;
	}
	pthread_mutex_unlock(&aside->lock);
	return task;
}

static void *run_tasks(void *ctx)
{
	struct aside_task *task;

	while ((task = take_task(ctx)))
		task->run(task->ctx);
	return NULL;
}

int aside_start(unsigned threads, struct aside **ret, struct err *err)
{
	struct aside *aside = mem_zalloc(sizeof(*aside) + threads * sizeof(aside->threads[0]));

	pthread_mutex_init(&aside->lock, NULL);
	pthread_cond_init(&aside->changed, NULL);
	aside->last = &aside->first;
	while (aside->thread_count < threads &&
		!pthread_create(&aside->threads[aside->thread_count], NULL, run_tasks, aside))
		aside->thread_count++;
	if (aside->thread_count == threads) {
		*ret = aside;
		return 0;
	}
	aside_stop(aside);
	return err_set(err, ERR_INTERNAL, "cannot start a thread");
}

void aside_stop(struct aside *aside)
{
	if (!aside)
		return;
	pthread_mutex_lock(&aside->lock);
	aside->stopping = true;
	pthread_cond_broadcast(&aside->changed);
	pthread_mutex_unlock(&aside->lock);
	for (size_t i = 0; i < aside->thread_count; i++)
		pthread_join(aside->threads[i], NULL);
	pthread_cond_destroy(&aside->changed);
	pthread_mutex_destroy(&aside->lock);
	free(aside);
}

int aside_add(struct aside *aside, struct aside_task *task, size_t most_waiting, struct err *err)
{
	bool room;

	pthread_mutex_lock(&aside->lock);
	room = aside->waiting < most_waiting;
	if (room) {
		*aside->last = task;
		aside->last = &task->next;
		aside->waiting++;
		pthread_cond_signal(&aside->changed);
	}
	pthread_mutex_unlock(&aside->lock);
	if (room)
		return 0;
	err_set(err, ERR_BUSY, "%zu others wait already", most_waiting);
	return err_hint(err, "send it again later");
}
