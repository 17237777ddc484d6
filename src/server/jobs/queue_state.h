#pragma once
/* The state of the queue, for its sources alone: queue, finish, queue_look. */
#include <pthread.h>

#include "server/jobs/job_list.h"
#include "server/jobs/queue.h"

/* Jobs that read dumps take long, renderings of reports are soon done: neither waits for the other. */
enum { DUMPS, REPORTS, LANES };

/* While one outcome is written to the disk, the next ones are on their way there. */
enum { KEEPERS = 4 };

struct lane {
	struct queue *queue;
	struct job_list waiting, running, ended;
	uint64_t last_owner; /* hash of the owner of the job that was started last */
	uint64_t started;    /* number of jobs */
	uint64_t peak_kib;   /* most memory that one has taken */
	pthread_t keepers[KEEPERS];
};

struct queue {
	struct queue_setup setup;
	pthread_mutex_t lock;   /* of all that follows */
	pthread_cond_t changed; /* something ended, or the queue stops */
	struct lane lanes[LANES];
	struct job_list entering, handed; /* to be handed over, and done by whichever service claims them */
	struct job *renderings;           /* and comparisons, that others of the same report and form may follow */
	uint64_t last_number;
	bool stopping, lost;
	pthread_t receiver, clock;
};
