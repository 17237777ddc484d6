#include "server/http/worker_pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory/mem.h"

struct worker_pool {
	pthread_mutex_t lock; /* of all that follows but the threads */
	pthread_cond_t changed;
	struct worker_task *first, **last;
	size_t waiting;
	bool stopping;
	size_t thread_count;
	pthread_t threads[];
};

/* The next one, or NULL at the end. */
static struct worker_task *take_task(struct worker_pool *pool)
{
	struct worker_task *task;

	pthread_mutex_lock(&pool->lock);
	while (!pool->first && !pool->stopping)
		pthread_cond_wait(&pool->changed, &pool->lock);
	task = pool->first;
	if (task) {
		pool->first = task->next;
		pool->last = pool->first ? pool->last : &pool->first;
		pool->waiting--;
	}
	pthread_mutex_unlock(&pool->lock);
	return task;
}

static void *run_tasks(void *ctx)
{
	struct worker_task *task;

	while ((task = take_task(ctx)))
		task->run(task->ctx);
	return NULL;
}

int worker_pool_start(unsigned threads, struct worker_pool **ret, struct err *err)
{
	struct worker_pool *pool = mem_zalloc(sizeof(*pool) + threads * sizeof(pool->threads[0]));

	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->changed, NULL);
	pool->last = &pool->first;
	while (pool->thread_count < threads &&
		!pthread_create(&pool->threads[pool->thread_count], NULL, run_tasks, pool))
		pool->thread_count++;
	if (pool->thread_count == threads) {
		*ret = pool;
		return 0;
	}
	worker_pool_stop(pool);
	worker_pool_free(pool);
	return err_set(err, ERR_INTERNAL, "cannot start a thread");
}

void worker_pool_stop(struct worker_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->stopping = true;
	pthread_cond_broadcast(&pool->changed);
	pthread_mutex_unlock(&pool->lock);
	for (size_t i = 0; i < pool->thread_count; i++)
		pthread_join(pool->threads[i], NULL);
}

void worker_pool_free(struct worker_pool *pool)
{
	if (!pool)
		return;
	pthread_cond_destroy(&pool->changed);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

int worker_pool_add(struct worker_pool *pool, struct worker_task *task, size_t most_waiting, struct err *err)
{
	bool room;

	pthread_mutex_lock(&pool->lock);
	room = pool->waiting < most_waiting && !pool->stopping;
	if (room) {
		*pool->last = task;
		pool->last = &task->next;
		pool->waiting++;
		pthread_cond_signal(&pool->changed);
	}
	pthread_mutex_unlock(&pool->lock);
	if (room)
		return 0;
	err_set(err, ERR_BUSY, "the queue is full: %zu jobs wait", most_waiting);
	return err_hint(err, "send it again later");
}
