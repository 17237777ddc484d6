#include "server/service/all_jobs.h"

#include "store/work.h"

static struct queue_item item_of(const struct work_item *work, uint64_t now)
{
	return (struct queue_item){ .ticket = work->ticket,
		.name = work->name,
		.caller = work->caller,
		.project = work->project,
		.check = true,
		.running = work->start_number && work->held_until > now,
		.read_bytes = work->read_bytes,
		.input_bytes = work->input_bytes };
}

size_t all_jobs(const struct service *service, struct arena *arena, struct queue_item **ret)
{
	struct work_list work = { 0 };
	struct queue_item *own = NULL;
	size_t own_count = service->queue ? queue_list(service->queue, arena, &own) : 0, count = 0;
	struct err ignored;

	*ret = own;
	if (!service->replica || store_list_work(service->store, arena, &work, &ignored))
		return own_count;
	*ret = arena_alloc(arena, (own_count + work.count + 1) * sizeof(**ret));
	for (size_t i = 0; i < work.count; i++)
		(*ret)[count++] = item_of(&work.items[i], store_now(service->store));
	for (size_t i = 0; i < own_count; i++) {
		if (!own[i].check)
			(*ret)[count++] = own[i];
	}
	return count;
}
