#include "dump/trace/device.h"

#include <stdlib.h>

#include "base/mem.h"

enum { MAX_WAITING = 65536, FIRST_ENTRIES = 4096 };

/* Operators by a number that counts up: a ring of the last ones. */
struct links {
	struct link {
		uint32_t id; /* its lower half; 0: free */
		uint32_t op, call;
	} * items;
	size_t capacity, max; /* powers of two */
};

struct work {
	uint64_t external, correlation;
	int64_t dur_ns;
};

struct trace_device {
	struct trace_ops *ops;
	struct trace_calls *calls;
	struct links operators, launches;
	struct work *waiting;
	size_t waiting_count;
	uint64_t unmatched;
};

static size_t power_of_two_within(uint64_t most)
{
	size_t power = 1;

	while (power <= most / 2)
		power *= 2;
	return power;
}

struct trace_device *trace_device_new(const struct limits *limits, struct trace_ops *ops, struct trace_calls *calls)
{
	struct trace_device *device = mem_zalloc(sizeof(*device));

	device->ops = ops;
	device->calls = calls;
	device->operators.max = device->launches.max = power_of_two_within(limits->launches / 2);
	return device;
}

void trace_device_free(struct trace_device *device)
{
	if (!device)
		return;
	free(device->operators.items);
	free(device->launches.items);
	free(device->waiting);
	free(device);
}

/* --- who launched */

static void grow(struct links *links)
{
	size_t capacity = links->capacity              ? links->capacity * 2
			  : links->max < FIRST_ENTRIES ? links->max
						       : FIRST_ENTRIES;
	struct link *items = mem_zalloc(capacity * sizeof(items[0]));

	for (size_t i = 0; i < links->capacity; i++) {
		if (links->items[i].id)
			items[links->items[i].id & (capacity - 1)] = links->items[i];
	}
	free(links->items);
	links->items = items;
	links->capacity = capacity;
}

static void set_link(struct links *links, uint64_t number, uint32_t op, uint32_t call)
{
	uint32_t id = (uint32_t)number;
	struct link *link;

	if (!id)
		return;
	if (!links->capacity)
		grow(links);
	while (links->capacity < links->max && links->items[id & (links->capacity - 1)].id &&
		links->items[id & (links->capacity - 1)].id != id)
		grow(links);
	link = &links->items[id & (links->capacity - 1)];
	*link = (struct link){ id, op, call };
}

/* NULL when it is not known, or no longer. */
static const struct link *link_of(const struct links *links, uint64_t number)
{
	uint32_t id = (uint32_t)number;
	const struct link *link = links->capacity ? &links->items[id & (links->capacity - 1)] : NULL;

	return id && link && link->id == id ? link : NULL;
}

void trace_device_operator(struct trace_device *device, uint64_t external, uint32_t op, uint32_t call)
{
	set_link(&device->operators, external, op, call);
}

void trace_device_launch(struct trace_device *device, uint64_t correlation, uint32_t op, uint32_t call)
{
	set_link(&device->launches, correlation, op, call);
}

/* --- what was launched */

static bool match(struct trace_device *device, const struct work *work)
{
	const struct link *link = link_of(&device->operators, work->external);

	if (!link)
		link = link_of(&device->launches, work->correlation);
	if (!link)
		return false;
	trace_ops_add_device(device->ops, link->op, work->dur_ns);
	trace_calls_add_device(device->calls, link->call, work->dur_ns);
	return true;
}

void trace_device_settle(struct trace_device *device, bool all)
{
	size_t count = device->waiting_count, kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (match(device, &device->waiting[i]))
			continue;
		if (all || i < count / 2)
			device->unmatched++;
		else
			device->waiting[kept++] = device->waiting[i];
	}
	device->waiting_count = kept;
}

bool trace_device_work(struct trace_device *device, uint64_t external, uint64_t correlation, int64_t dur_ns)
{
	struct work work = { external, correlation, dur_ns };

	if (!device->waiting)
		device->waiting = mem_resize(NULL, MAX_WAITING, sizeof(device->waiting[0]));
	device->waiting[device->waiting_count++] = work;
	return device->waiting_count < MAX_WAITING;
}

uint64_t trace_device_unmatched(const struct trace_device *device)
{
	return device->unmatched;
}
