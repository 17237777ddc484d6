#pragma once
/* The end of a job: its outcome is kept, and its clients are woken. For the sources of the queue alone. */
#include "server/jobs/queue.h"

/* Hold the lock, which is released meanwhile. Detach the client of the job and wake it; release: it holds the job. */
void queue_wake(struct queue *queue, struct job *job, bool release);

/* Hold the lock. The rendering that gives the same as this job, or NULL; make one known, and unknown. */
struct job *queue_find_rendering(const struct queue *queue, const struct job *job);
void queue_note_rendering(struct queue *queue, struct job *job);
void queue_forget_rendering(struct queue *queue, const struct job *job);

/* The threads of a lane that keep outcomes and wake clients. */
void *queue_keep_outcomes(void *arg);
