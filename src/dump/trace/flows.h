#pragma once
/*
 * Arrows of a trace join events that have no numbers. torch_npu and the legacy profiler join work on the device with
 * its operator by arrows alone; old and shortened traces join autograd nodes with forward operators so.
 *
 * An arrow begins and ends at the begin of an event of a thread. Arrows and work are kept, up to limits.frames each,
 * and followed when everything was read.
 */
#include "dump/trace/calls.h"
#include "dump/trace/threads.h"

enum trace_flow_kind {
	FLOW_NONE,
	FLOW_BACKWARD, /* from a forward operator to its autograd node */
	FLOW_WORK,     /* from an operator to work on the device */
	/* from what CANN launched, on a thread that has its number in another process, to work on the device: for what
	   no arrow of the kind before reaches */
	FLOW_NODE,
};

struct trace_flows;

struct trace_flows *trace_flows_new(
	const struct dump_context *context, struct trace_calls *calls, const struct trace_threads *threads);
void trace_flows_free(struct trace_flows *flows);

/* By the category of a flow event. */
enum trace_flow_kind trace_flow_kind(struct str category);

struct trace_flow {
	uint64_t id; /* the same for both ends, and for no other arrow */
	int64_t ns;
	enum trace_flow_kind kind;
	uint16_t thread;
	bool is_end;
};

void trace_flows_add(struct trace_flows *flows, const struct trace_flow *flow);

/* Work without a number; certain: it is on the device, whether an arrow reaches it or not. */
void trace_flows_work(struct trace_flows *flows, uint16_t thread, int64_t begin_ns, int64_t dur_ns, bool certain);

/* Follows all arrows of the kinds that are wanted: bits 1 << enum trace_flow_kind. Before anything is emitted. */
void trace_flows_follow(struct trace_flows *flows, unsigned wanted);
