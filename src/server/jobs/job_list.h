#pragma once
/* Jobs in a row, each in one list at most. */
#include "server/jobs/job.h"

struct job_list {
	struct job *first, *last;
	size_t count;
};

void job_list_append(struct job_list *list, struct job *job);

/* Takes the job of that number out, or the first one for 0. NULL when it is not there. */
struct job *job_list_take(struct job_list *list, uint64_t number);

/* Returns how many jobs of a caller it has. */
uint64_t job_list_count_of(const struct job_list *list, struct str caller);

/* The job with a ticket, or NULL. */
struct job *job_list_find(const struct job_list *list, struct str ticket);
