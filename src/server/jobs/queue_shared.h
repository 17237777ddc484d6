#pragma once
/* The queue of a service that shares its jobs: what it may claim, and the ends of jobs that it handed over. */
#include "server/jobs/queue.h"
#include "server/jobs/turn.h"

/* The position among turn->waiting of the job that may start here now, or TURN_NONE. Fills the members that are known
   here; waiting, elsewhere and started are given. */
size_t queue_turn(struct queue *queue, struct turn *turn);

/* Tickets of the jobs that were handed over, in the arena; returns how many. */
size_t queue_list_handed(struct queue *queue, struct arena *arena, struct str **ret);

/* The end of such a job, wherever it was done: its clients are woken. */
void queue_end_handed(struct queue *queue, struct str ticket);
