#include "dump/trace/npu.h"

#include <stdlib.h>

#include "base/memory/arena.h"
#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "dump/common/tally.h"
#include "dump/npu/cann.h"

/* Hash of the thread and time at which something begins. */
struct begin {
	uint64_t key;
	uint32_t op, call;
};

struct task {
	uint64_t key;
	int64_t dur_ns;
	uint32_t name; /* position in names */
	uint32_t next; /* another one with the key, and one; 0: none */
	enum observed_where unit;
	bool matched;
};

struct flow {
	uint64_t id;
	uint64_t from, to; /* keys */
};

struct trace_npu {
	const struct dump_context *context;
	struct trace_ops *ops;
	struct trace_calls *calls;
	struct tally *tally;
	uint64_t seed;
	size_t most;
	MEM_LIST(struct begin) begins;
	MEM_LIST(struct task) tasks;
	MEM_LIST(struct flow) flows;
	struct flow open; /* its beginning was seen */
	struct arena text;
	struct map names_by_text;
	MEM_LIST(struct str) names;
	uint64_t lost; /* tasks over the limit */
};

enum { MAX_TEXT_BYTES = 8 << 20, SHARES = 4 };

struct trace_npu *trace_npu_new(const struct dump_context *context, struct trace_ops *ops, struct trace_calls *calls)
{
	return MEM_NEW(struct trace_npu, .context = context, .ops = ops, .calls = calls, .tally = tally_new(context),
		.seed = hash_seed(), .most = (size_t)(context->limits->launches / SHARES),
		.text = ARENA_INIT(MAX_TEXT_BYTES));
}

void trace_npu_free(struct trace_npu *npu)
{
	tally_free(npu->tally);
	free(npu->begins.items);
	free(npu->tasks.items);
	free(npu->flows.items);
	free(npu->names.items);
	map_clear(&npu->names_by_text);
	arena_clear(&npu->text);
	free(npu);
}

/* --- keys */

static uint64_t key_of(const struct trace_thread *thread, int64_t ns)
{
	return hash_mix(thread->process ^ 0x9e3779b97f4a7c15u, thread->thread | 1) ^
	       hash_mix((uint64_t)ns, 0xd6e8feb86659fd93u);
}

static uint64_t key_of_event(const struct trace_npu *npu, const struct trace_event *event)
{
	struct trace_thread thread;
	int64_t ns;

	if (!event->ts.raw.ptr || !event->pid.raw.ptr || !event->tid.raw.ptr || !json_scaled(&event->ts, 1000, &ns))
		return 0;
	thread = (struct trace_thread){ hash_str(npu->seed, event->pid.raw), hash_str(npu->seed, event->tid.raw) };
	return key_of(&thread, ns);
}

/* --- tasks and flows */

/* The position of a name; the last one collects those over the limit. */
static uint32_t name_at(struct trace_npu *npu, const struct json_value *value)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct str kept;
	uint32_t known;

	json_text(&text, value);
	known = MAP_FIND(&npu->names_by_text, npu->names.items, buf_str(&text));
	if (known != MAP_NONE)
		return known;
	if (npu->names.count &&
		(npu->names.count >= npu->context->limits->names || !arena_copy(&npu->text, buf_str(&text), &kept)))
		return (uint32_t)npu->names.count - 1;
	if (!npu->names.count && !arena_copy(&npu->text, buf_str(&text), &kept))
		kept = STR("");
	map_add_name(&npu->names_by_text, buf_str(&text), (uint32_t)npu->names.count);
	MEM_PUSH(&npu->names, kept);
	return (uint32_t)npu->names.count - 1;
}

static void take_task(struct trace_npu *npu, const struct trace_event *event, struct str type)
{
	struct dump_facts *facts = npu->context->facts;
	struct task task = { .key = key_of_event(npu, event), .unit = npu_task_unit(str_trim(type)) };

	device_observe(&facts->device, DEVICE_NPU, "events");
	facts->device_tasks++;
	if (npu->tasks.count >= npu->most) {
		npu->lost++;
		return;
	}
	if (!event->dur.raw.ptr || !json_scaled(&event->dur, 1000, &task.dur_ns) || task.dur_ns < 0)
		task.dur_ns = 0;
	task.name = name_at(npu, &event->name);
	MEM_PUSH(&npu->tasks, task);
}

/* Its two ends have one id and stand one behind the other. */
static void take_flow(struct trace_npu *npu, const struct trace_event *event)
{
	uint64_t id = hash_str(npu->seed, event->id.raw), key = key_of_event(npu, event);

	if (!key)
		return;
	if (!event->flow_end) {
		npu->open = (struct flow){ id, key, 0 };
	} else if (npu->open.id == id && npu->flows.count < npu->most) {
		npu->open.to = key;
		MEM_PUSH(&npu->flows, npu->open);
		npu->open = (struct flow){ 0 };
	}
}

bool trace_npu_event(struct trace_npu *npu, const struct trace_event *event)
{
	const struct json_value *type = trace_argument(event, TRACE_TASK_TYPE);

	if (event->kind == TRACE_FLOW) {
		if (str_eq(event->category.raw, STR("async_npu")) && event->id.raw.ptr)
			take_flow(npu, event);
		return false;
	}
	if (!type || event->name.kind != JSON_STRING)
		return false;
	take_task(npu, event, type->raw);
	return true;
}

void trace_npu_begin(struct trace_npu *npu, const struct trace_thread *thread, int64_t ns, uint32_t op, uint32_t call)
{
	if (npu->begins.count < npu->most)
		MEM_PUSH(&npu->begins, ((struct begin){ key_of(thread, ns), op, call }));
}

/* --- at the end */

/* Of all that have a key: the position of the last one that began there, which is the innermost, or of the first task
   that is not matched; and one. */
struct head {
	uint64_t key;
	uint32_t at;
};

struct heads {
	struct map by_key;
	MEM_LIST(struct head) items;
};

static struct head *head_of(const struct heads *heads, uint64_t key)
{
	struct map_cursor at = map_start(&heads->by_key, key);

	while (map_next(&heads->by_key, &at)) {
		if (heads->items.items[at.index].key == key)
			return &heads->items.items[at.index];
	}
	return NULL;
}

/* Sets the head of a key; returns the one before, or 0. */
static uint32_t set_head(struct heads *heads, uint64_t key, size_t position)
{
	struct head *head = head_of(heads, key);
	uint32_t before = head ? head->at : 0;

	if (head) {
		head->at = (uint32_t)position + 1;
	} else {
		map_add(&heads->by_key, key, (uint32_t)heads->items.count);
		MEM_PUSH(&heads->items, ((struct head){ key, (uint32_t)position + 1 }));
	}
	return before;
}

static void heads_clear(struct heads *heads)
{
	map_clear(&heads->by_key);
	free(heads->items.items);
}

/* "NonZero" of "aclnnNonzero_NonZeroAiCpu_NonZero": the kernel type stands last. */
static struct str type_of(struct str name)
{
	struct str type = str_tail(name, '_');

	return type.len && npu_task_launch(name).len ? type : name;
}

static void count_aicpu(const struct trace_npu *npu, const struct task *task)
{
	if (task->unit == OBSERVED_ON_AICPU)
		npu_count_aicpu(npu->context->facts, type_of(npu->names.items[task->name]), 1);
}

static void link_task(struct trace_npu *npu, const struct begin *begin, const struct task *task)
{
	struct op_observation seen = { .name = trace_ops_text(npu->ops, begin->op),
		.launch = STR(""),
		.where = task->unit,
		.calls = 1,
		.device_ns = task->dur_ns };

	trace_calls_work(npu->calls, &(struct trace_launcher){ begin->op, begin->call },
		&(struct trace_work){ TRACE_NO_OP, task->dur_ns });
	count_aicpu(npu, task);
	tally_add(npu->tally, &seen);
}

static void match_flows(struct trace_npu *npu)
{
	CLEANUP(heads_clear) struct heads begins = { 0 }, tasks = { 0 };

	for (size_t i = 0; i < npu->begins.count; i++)
		set_head(&begins, npu->begins.items[i].key, i);
	for (size_t i = npu->tasks.count; i-- > 0;)
		npu->tasks.items[i].next = set_head(&tasks, npu->tasks.items[i].key, i);
	for (size_t i = 0; i < npu->flows.count; i++) {
		const struct head *begin = head_of(&begins, npu->flows.items[i].from);
		struct head *first = begin ? head_of(&tasks, npu->flows.items[i].to) : NULL;
		struct task *task = first && first->at ? &npu->tasks.items[first->at - 1] : NULL;

		if (!task)
			continue;
		first->at = task->next;
		task->matched = true;
		link_task(npu, &npu->begins.items[begin->at - 1], task);
	}
}

static void observe_kernel(struct trace_npu *npu, const struct task *task)
{
	struct str name = npu->names.items[task->name];
	struct op_observation seen = { .name = type_of(name),
		.launch = npu_task_launch(name),
		.kernel = true,
		.where = task->unit,
		.calls = 1,
		.device_ns = task->dur_ns };

	count_aicpu(npu, task);
	tally_add(npu->tally, &seen);
}

void trace_npu_settle(struct trace_npu *npu)
{
	match_flows(npu);
	npu->context->facts->unmatched_work += npu->lost;
	for (size_t i = 0; i < npu->tasks.count; i++) {
		if (npu->tasks.items[i].matched)
			continue;
		trace_calls_unlinked(npu->calls, &(struct trace_work){ TRACE_NO_OP, npu->tasks.items[i].dur_ns });
		observe_kernel(npu, &npu->tasks.items[i]);
	}
	tally_emit(npu->tally);
}
