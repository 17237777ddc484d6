#include "base/memory/ring.h"

void ring_init(struct ring *ring, unsigned slots, unsigned least)
{
	*ring = (struct ring){ .slots = slots, .least = least };
	pthread_mutex_init(&ring->lock, NULL);
	pthread_cond_init(&ring->changed, NULL);
}

void ring_destroy(struct ring *ring)
{
	pthread_mutex_destroy(&ring->lock);
	pthread_cond_destroy(&ring->changed);
}

bool ring_free_slot(struct ring *ring, unsigned *ret_slot)
{
	bool wanted;

	pthread_mutex_lock(&ring->lock);
	if (ring->filled - ring->freed == ring->slots) {
		while (!ring->stopped && ring->filled - ring->freed > ring->slots / 2)
			pthread_cond_wait(&ring->changed, &ring->lock);
	}
	*ret_slot = ring->filled % ring->slots;
	wanted = !ring->stopped;
	pthread_mutex_unlock(&ring->lock);
	return wanted;
}

void ring_put(struct ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	ring->filled++;
	if (ring->filled - ring->taken >= ring->least)
		pthread_cond_signal(&ring->changed);
	pthread_mutex_unlock(&ring->lock);
}

void ring_close(struct ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	ring->closed = true;
	pthread_cond_signal(&ring->changed);
	pthread_mutex_unlock(&ring->lock);
}

bool ring_take(struct ring *ring, unsigned *ret_slot)
{
	bool more;

	pthread_mutex_lock(&ring->lock);
	ring->freed = ring->taken;
	if (ring->filled - ring->freed <= ring->slots / 2)
		pthread_cond_signal(&ring->changed);
	if (ring->filled == ring->taken) {
		while (ring->filled - ring->taken < ring->least && !ring->closed)
			pthread_cond_wait(&ring->changed, &ring->lock);
	}
	more = ring->filled != ring->taken;
	*ret_slot = ring->taken % ring->slots;
	ring->taken += more;
	pthread_mutex_unlock(&ring->lock);
	return more;
}

void ring_stop(struct ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	ring->stopped = true;
	pthread_cond_signal(&ring->changed);
	pthread_mutex_unlock(&ring->lock);
}
