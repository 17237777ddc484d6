#pragma once
/* The state of the queue, for its sources alone. */
#include <pthread.h>

#include "server/jobs/job_list.h"
#include "server/jobs/queue.h"

/* What reads dumps takes long, what is made of reports is soon done: neither waits for the other. */
enum { DUMPS, REPORTS, LANES };

/* While one outcome is written to the disk, the next ones are on their way there. */
enum { KEEPERS = 4 };

struct lane {
	struct queue *queue;
	struct job_list waiting, running, ended;
	uint64_t last_owner; /* hash of the owner of the job that was started last */
	uint64_t started;    /* number of jobs */
	pthread_t keepers[KEEPERS];
};

struct queue {
	struct queue_setup setup;
	pthread_mutex_t lock;   /* of all that follows */
	pthread_cond_t changed; /* something ended, or the queue stops */
	struct lane lanes[LANES];
	struct job *renderings; /* and comparisons, that others of the same report and form may follow */
	uint64_t last_number;
	bool stopping, lost;
	pthread_t receiver, clock;
};

struct lane *queue_lane_of(struct queue *queue, const struct job *job);

/* Hold the lock. End a job, which is no longer in a list. */
void queue_end_job(struct lane *lane, struct job *job);

/* Hold the lock. End a job that waits or runs, of which nothing is kept; text: the error. */
void queue_cancel_job(struct queue *queue, struct job *job, const char *text);

/* Hold the lock, which is released meanwhile. Detach the client of the job and wake it; release: as it holds the job. */
void queue_wake(struct queue *queue, struct job *job, bool release);

/* Hold the lock. The rendering that gives the same as this job, or NULL; make one known, and unknown. */
struct job *queue_find_rendering(const struct queue *queue, const struct job *job);
void queue_note_rendering(struct queue *queue, struct job *job);
void queue_forget_rendering(struct queue *queue, const struct job *job);

/* The threads of a lane that keep outcomes and wake clients. */
void *queue_keep_outcomes(void *arg);
