#include "server/jobs/job_list.h"

void job_list_append(struct job_list *list, struct job *job)
{
	job->next = NULL;
	*(list->last ? &list->last->next : &list->first) = job;
	list->last = job;
	list->count++;
}

struct job *job_list_take(struct job_list *list, uint64_t number)
{
	struct job *before = NULL, *job = list->first;

	while (job && number && job->number != number) {
		before = job;
		job = job->next;
	}
	if (!job)
		return NULL;
	*(before ? &before->next : &list->first) = job->next;
	if (list->last == job)
		list->last = before;
	list->count--;
	return job;
}

uint64_t job_list_count_of(const struct job_list *list, struct str caller)
{
	uint64_t count = 0;

	for (const struct job *job = list->first; job; job = job->next)
		count += str_eq(job->caller, caller);
	return count;
}

struct job *job_list_find(const struct job_list *list, struct str ticket)
{
	struct job *job = list->first;

	while (job && !str_eq(str_from(job->ticket), ticket))
		job = job->next;
	return job;
}
