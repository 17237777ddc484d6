#pragma once
/*
 * The hand-over between two threads: slots in a ring that one fills and the other empties, in order.
 *
 * The ring knows numbers only; the slots are the caller's, as many as the ring was given. The filler asks for a free slot,
 * fills it and puts it; the emptier takes one and gives it back by taking the next. Waking a thread costs as much as filling a
 * slot may, so a filler that had to wait goes on when half the ring is free, and an emptier when as many slots are full as it
 * was told, or nothing more comes.
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

/* slots: two or more. least: so many full ones end a wait for them, at most half. */
void ring_init(struct ring *ring, unsigned slots, unsigned least);
void ring_destroy(struct ring *ring);

/* Filler: the next slot, once it is free: true, and *ret_slot is set. False when the emptier wants no more. */
bool ring_free_slot(struct ring *ring, unsigned *ret_slot);

/* Filler: the slot that ring_free_slot named last is full. */
void ring_put(struct ring *ring);

/* Filler: nothing more comes. */
void ring_close(struct ring *ring);

/* Emptier: gives back the slot it had and takes the next full one. False when all were taken and nothing more comes. */
bool ring_take(struct ring *ring, unsigned *ret_slot);

/* Emptier: wants no more. */
void ring_stop(struct ring *ring);
