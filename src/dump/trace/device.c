#include "dump/trace/device.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/figure.h"

enum { MAX_WAITING = 65536, FIRST_ENTRIES = 4096 };

/* Launchers by a number that counts up: a ring of the last ones. */
struct launcher_ring {
	struct entry {
		uint32_t id; /* its lower half; 0: free */
		uint32_t call;
		uint32_t op : 30;
		bool covered : 1, is_graph : 1;
	} * items;
	size_t capacity, max; /* powers of two */
};

enum { NO_OP = (1 << 30) - 1 };

/* Work whose launcher is not known yet. */
struct waiting {
	struct trace_device_work of;
	bool at_begin; /* no operator had launched anything before it */
};

/* Facts on a kernel by the number of its operator. */
struct kernel {
	int64_t at_begin_ns; /* unlinked */
	bool linked;         /* some other work of its name is */
};

struct trace_device {
	const struct dump_context *context;
	struct trace_calls *calls;
	struct launcher_ring operators, launches;
	struct waiting *waiting;
	size_t waiting_count;
	MEM_LIST(struct kernel) kernels;
	bool linked; /* some work is */
};

static size_t power_of_two_within(uint64_t most)
{
	size_t power = 1;

	while (power <= most / 2)
		power *= 2;
	return power;
}

struct trace_device *trace_device_new(const struct dump_context *context, struct trace_calls *calls)
{
	return MEM_NEW(struct trace_device, .context = context, .calls = calls,
		.operators.max = power_of_two_within(context->limits->launches / 2),
		.launches.max = power_of_two_within(context->limits->launches / 2));
}

void trace_device_free(struct trace_device *device)
{
	free(device->operators.items);
	free(device->launches.items);
	free(device->waiting);
	free(device->kernels.items);
	free(device);
}

/* --- who launched */

static void grow_ring(struct launcher_ring *ring)
{
	size_t capacity = ring->capacity ? ring->capacity * 2 : ring->max < FIRST_ENTRIES ? ring->max : FIRST_ENTRIES;
	struct entry *items = mem_zalloc(capacity * sizeof(items[0]));

	for (size_t i = 0; i < ring->capacity; i++) {
		if (ring->items[i].id)
			items[ring->items[i].id & (capacity - 1)] = ring->items[i];
	}
	free(ring->items);
	ring->items = items;
	ring->capacity = capacity;
}

static void set_launcher(struct launcher_ring *ring, uint64_t number, const struct trace_launcher *launcher)
{
	uint32_t id = (uint32_t)number;

	if (!id)
		return;
	if (!ring->capacity)
		grow_ring(ring);
	while (ring->capacity < ring->max && ring->items[id & (ring->capacity - 1)].id &&
		ring->items[id & (ring->capacity - 1)].id != id)
		grow_ring(ring);
	ring->items[id & (ring->capacity - 1)] = (struct entry){ .id = id,
		.call = launcher->call,
		.op = launcher->op < NO_OP ? launcher->op : NO_OP,
		.covered = launcher->covered,
		.is_graph = launcher->is_graph };
}

/* NULL when it is not known, or no longer. */
static const struct entry *launcher_of(const struct launcher_ring *ring, uint64_t number)
{
	uint32_t id = (uint32_t)number;
	const struct entry *entry = ring->capacity ? &ring->items[id & (ring->capacity - 1)] : NULL;

	return id && entry && entry->id == id ? entry : NULL;
}

void trace_device_operator(struct trace_device *device, uint64_t external, const struct trace_launcher *launcher)
{
	set_launcher(&device->operators, external, launcher);
}

void trace_device_launch(struct trace_device *device, uint64_t correlation, const struct trace_launcher *launcher)
{
	set_launcher(&device->launches, correlation, launcher);
}

/* --- what was launched */

/* An External id equal to the correlation is ignored: CUPTI writes it if the profiler knew no operator. */
static const struct entry *find_launcher(const struct trace_device *device, const struct trace_device_work *work)
{
	const struct entry *launch = launcher_of(&device->launches, work->correlation);
	const struct entry *op = work->external == work->correlation ? NULL
								     : launcher_of(&device->operators, work->external);

	return launch && launch->is_graph ? launch : op ? op : launch;
}

/* NULL for work without a name. */
static struct kernel *kernel_of(struct trace_device *device, const struct trace_work *work)
{
	if (work->kernel == TRACE_NO_OP)
		return NULL;
	while (device->kernels.count <= work->kernel)
		MEM_PUSH(&device->kernels, (struct kernel){ 0 });
	return &device->kernels.items[work->kernel];
}

static void link_to_operator(struct trace_device *device, const struct entry *launcher, const struct trace_work *work)
{
	struct kernel *kernel = kernel_of(device, work);

	device->linked = true;
	if (kernel)
		kernel->linked = true;
	trace_calls_work(device->calls,
		&(struct trace_launcher){ launcher->op, launcher->call, launcher->covered, false }, work);
}

static bool link_work(struct trace_device *device, const struct trace_device_work *work)
{
	struct dump_device_time *time = &device->context->facts->device_time;
	const struct entry *launcher = find_launcher(device, work);

	if (!launcher)
		return false;
	if (launcher->is_graph)
		time->graphs_ns = figure_add(time->graphs_ns, work->work.dur_ns);
	else if (launcher->op == NO_OP)
		trace_calls_unlinked(device->calls, &work->work);
	else
		link_to_operator(device, launcher, &work->work);
	return true;
}

static void give_up(struct trace_device *device, const struct waiting *waiting)
{
	struct kernel *kernel = waiting->at_begin ? kernel_of(device, &waiting->of.work) : NULL;

	if (kernel)
		kernel->at_begin_ns = figure_add(kernel->at_begin_ns, waiting->of.work.dur_ns);
	trace_calls_unlinked(device->calls, &waiting->of.work);
}

/* All: the rest is given up; else the earlier half of it. */
static void settle_work(struct trace_device *device, bool all)
{
	size_t count = device->waiting_count, kept = 0;

	for (size_t i = 0; i < count; i++) {
		const struct waiting *waiting = &device->waiting[i];

		if (link_work(device, &waiting->of))
			continue;
		if (all || i < count / 2)
			give_up(device, waiting);
		else
			device->waiting[kept++] = *waiting;
	}
	device->waiting_count = kept;
}

void trace_device_add_work(struct trace_device *device, const struct trace_device_work *work)
{
	if (link_work(device, work))
		return;
	if (!device->waiting)
		device->waiting = mem_resize(NULL, MAX_WAITING, sizeof(device->waiting[0]));
	device->waiting[device->waiting_count++] = (struct waiting){ *work, !device->linked };
	if (device->waiting_count == MAX_WAITING)
		settle_work(device, false);
}

/* Kernels at the begin that operators launch later were launched before the profiler started. */
static void count_early_kernels(struct trace_device *device)
{
	struct dump_device_time *time = &device->context->facts->device_time;

	for (size_t i = 0; i < device->kernels.count; i++) {
		const struct kernel *kernel = &device->kernels.items[i];

		if (kernel->linked && !trace_calls_is_compiled(device->calls, (uint32_t)i))
			time->before_ns = figure_add(time->before_ns, kernel->at_begin_ns);
	}
}

void trace_device_finish(struct trace_device *device)
{
	settle_work(device, true);
	count_early_kernels(device);
}
