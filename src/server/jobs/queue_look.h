#pragma once
/* A look at the jobs that wait and run, by their tickets or all of them; and the end of one. */
#include "server/jobs/queue.h"

struct queue_look {
	bool found, running;
	uint64_t read_bytes, input_bytes; /* how far a running one has come */
};

/* Looks for the job with a ticket among those that wait and run. */
struct queue_look queue_look(struct queue *queue, struct str ticket);

/* A job that waits or runs, as a page lists it. */
struct queue_item {
	struct str ticket, name, caller, project; /* ticket "": its client waits for it */
	bool check, running;                      /* check: else it renders or compares reports */
	uint64_t read_bytes, input_bytes;
};

/* All of them, those that run first; in the arena. Returns how many. */
size_t queue_list(struct queue *queue, struct arena *arena, struct queue_item **ret);

/* The most memory that one job has taken since the start, in bytes. */
struct queue_peaks {
	uint64_t check, rendering;
};
struct queue_peaks queue_peaks(struct queue *queue);

/* Returns whether no job that reads a dump waits or runs. */
bool queue_rests(struct queue *queue);

/* Ends that job, of which nothing is kept. False when it is not there: it is over or about to be. */
bool queue_cancel(struct queue *queue, struct str ticket);
