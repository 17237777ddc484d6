#include "dump/trace/flows.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/words.h"

struct work {
	int64_t begin_ns, dur_ns;
	uint16_t thread;
	bool certain, reached;
};

struct trace_flows {
	const struct dump_context *context;
	struct trace_calls *calls;
	const struct trace_threads *threads;
	MEM_LIST(struct trace_flow) list;
	MEM_LIST(struct work) work;
};

struct trace_flows *trace_flows_new(
	const struct dump_context *context, struct trace_calls *calls, const struct trace_threads *threads)
{
	return MEM_NEW(struct trace_flows, .context = context, .calls = calls, .threads = threads);
}

void trace_flows_free(struct trace_flows *flows)
{
	free(flows->list.items);
	free(flows->work.items);
	free(flows);
}

enum trace_flow_kind trace_flow_kind(struct str category)
{
	static const struct {
		struct str category;
		enum trace_flow_kind kind;
	} kinds[] = {
		{ STR("fwdbwd"), FLOW_BACKWARD }, { STR("async_npu"), FLOW_WORK }, { STR("HostToDevice"), FLOW_NODE },
		{ STR("ac2g"), FLOW_WORK }, { STR("async"), FLOW_WORK }, /* 1.8 to 1.10 */
		{ STR("cpu_to_cuda"), FLOW_WORK }, { STR("cpu_to_npu"), FLOW_WORK },
		{ STR("cpu_to_musa"), FLOW_WORK }, /* the legacy profiler */
	};
	size_t at = STR_POSITION(kinds, ARRAY_SIZE(kinds), category);

	return at == STR_NONE ? FLOW_NONE : kinds[at].kind;
}

void trace_flows_add(struct trace_flows *flows, const struct trace_flow *flow)
{
	if (flows->list.count >= flows->context->limits->frames)
		flows->context->facts->dropped_frames++;
	else
		MEM_PUSH(&flows->list, *flow);
}

void trace_flows_work(struct trace_flows *flows, uint16_t thread, int64_t begin_ns, int64_t dur_ns, bool certain)
{
	if (flows->work.count >= flows->context->limits->frames)
		flows->context->facts->unmatched_work += certain;
	else
		MEM_PUSH(&flows->work, ((struct work){ begin_ns, dur_ns, thread, certain, false }));
}

/* --- following */

/* Both ends of an arrow next to each other, the beginning first; arrows of the best kinds first. */
static int by_kind_and_id(const void *a, const void *b)
{
	const struct trace_flow *left = a, *right = b;

	return ORDER(left->kind, right->kind) ?: ORDER(left->id, right->id) ?: ORDER(left->is_end, right->is_end)
	       ?: ORDER(left->ns, right->ns);
}

static int by_thread_and_begin(const void *a, const void *b)
{
	const struct work *left = a, *right = b;

	return ORDER(left->thread, right->thread) ?: ORDER(left->begin_ns, right->begin_ns);
}

static struct work *work_at(struct trace_flows *flows, uint16_t thread, int64_t ns)
{
	struct work key = { .begin_ns = ns, .thread = thread };

	return flows->work.count ? bsearch(&key, flows->work.items, flows->work.count, sizeof(key), by_thread_and_begin)
				 : NULL;
}

/* The call in which an arrow begins. torch_npu shows CANN's calls under processes of their own. */
static bool call_before(const struct trace_flows *flows, const struct trace_flow *from, uint32_t *ret)
{
	if (from->kind != FLOW_NODE)
		return trace_calls_at(flows->calls, from->thread, from->ns, ret);
	return ANY(i, trace_threads_count(flows->threads),
		trace_threads_at(flows->threads, (uint16_t)i).thread ==
				trace_threads_at(flows->threads, from->thread).thread &&
			trace_calls_at(flows->calls, (uint16_t)i, from->ns, ret));
}

static void reach_launch(struct trace_flows *flows, const struct trace_flow *from, const struct trace_flow *to)
{
	struct work *work = work_at(flows, to->thread, to->ns);
	uint32_t call;

	if (!work || work->reached || !call_before(flows, from, &call))
		return;
	work->reached = true;
	trace_calls_work(flows->calls, &(struct trace_launcher){ trace_calls_op(flows->calls, call), call },
		&(struct trace_work){ TRACE_NO_OP, work->dur_ns });
}

static void follow_flow(struct trace_flows *flows, const struct trace_flow *from, const struct trace_flow *to)
{
	uint32_t forward, node;

	if (from->kind != FLOW_BACKWARD)
		reach_launch(flows, from, to);
	else if (trace_calls_at(flows->calls, from->thread, from->ns, &forward) &&
		 trace_calls_node(flows->calls, to->thread, to->ns, &node))
		trace_calls_forward(flows->calls, node, forward);
}

/* An arrow that ends several times reaches several pieces of work. */
static void follow_all(struct trace_flows *flows, unsigned wanted)
{
	const struct trace_flow *from = NULL;

	for (size_t i = 0; i < flows->list.count; i++) {
		const struct trace_flow *flow = &flows->list.items[i];

		if (!flow->is_end)
			from = flow;
		else if (from && from->kind == flow->kind && from->id == flow->id && wanted & 1u << flow->kind)
			follow_flow(flows, from, flow);
	}
}

void trace_flows_follow(struct trace_flows *flows, unsigned wanted)
{
	if (flows->list.count) {
		trace_calls_sort(flows->calls);
		qsort(flows->list.items, flows->list.count, sizeof(flows->list.items[0]), by_kind_and_id);
		MEM_SORT(&flows->work, by_thread_and_begin);
		follow_all(flows, wanted);
	}
	for (size_t i = 0; i < flows->work.count; i++) {
		const struct work *work = &flows->work.items[i];

		if (work->certain && !work->reached)
			trace_calls_unlinked(flows->calls, &(struct trace_work){ TRACE_NO_OP, work->dur_ns });
	}
}
