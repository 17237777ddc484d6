#include "server/service/all_jobs.h"

#include "store/work.h"

size_t all_jobs(const struct service *service, struct arena *arena, struct queue_item **ret)
{
	struct work_list work = { 0 };
	struct queue_item *own = NULL;
	size_t own_count = service->queue ? queue_list(service->queue, arena, &own) : 0, count = 0;
	uint64_t now = store_now(service->store);
	struct err ignored;

	*ret = own;
	if (!service->replica || store_list_work(service->store, arena, &work, &ignored))
		return own_count;
	*ret = arena_alloc(arena, (own_count + work.count + 1) * sizeof(**ret));
	for (size_t i = 0; i < work.count; i++) {
		const struct work_item *item = &work.items[i];

		(*ret)[count++] = (struct queue_item){ .ticket = item->ticket,
			.name = item->name,
			.caller = item->caller,
			.project = item->project,
			.check = true,
			.running = item->start_number && item->held_until > now,
			.read_bytes = item->read_bytes,
			.input_bytes = item->input_bytes };
	}
	for (size_t i = 0; i < own_count; i++) {
		if (!own[i].check)
			(*ret)[count++] = own[i];
	}
	return count;
}
