#pragma once
/*
 * A bounded queue between two threads: slots in a ring that the producer fills and the consumer empties, in order.
 *
 * The ring knows numbers only; the slots are the caller's, as many as the ring was given. The producer asks for a free
 * slot, fills it and puts it; the consumer takes one and gives it back by taking the next. Waking a thread costs as
 * much as filling a slot may: a producer that had to wait goes on when half the ring is free, a consumer when `least`
 * slots are full or no more will come.
 */
#include <pthread.h>
#include <stdbool.h>

struct ring {
	unsigned slots, least;
	unsigned filled, taken, freed; /* so far */
	bool closed, stopped;
	pthread_mutex_t lock;
	pthread_cond_t changed;
};

/* slots: two or more. least: the number of full slots that ends the wait of the consumer, at most half of the slots. */
void ring_init(struct ring *ring, unsigned slots, unsigned least);
void ring_destroy(struct ring *ring);

/* Producer: the next slot, once it is free: true, and *ret_slot is set. False when the consumer wants no more. */
bool ring_free_slot(struct ring *ring, unsigned *ret_slot);

/* Producer: the slot that ring_free_slot named last is full. */
void ring_put(struct ring *ring);

/* Producer: nothing more comes. */
void ring_close(struct ring *ring);

/* Consumer: gives back the slot it had and takes the next full one. False when all were taken and nothing more
   comes. */
bool ring_take(struct ring *ring, unsigned *ret_slot);

/* Consumer: wants no more. */
void ring_stop(struct ring *ring);
