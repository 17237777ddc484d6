#pragma once
/*
 * Device work in trace_view.json of torch_npu: tasks, and the flows "async_npu" from their launching calls.
 *
 * A flow begins where a call on the host begins and ends where a task begins, each named by its process, its thread
 * and its time. Flows come last and may come first, so begins, tasks and flows are kept until the end, up to a limit
 * each.
 */
#include "dump/trace/calls.h"
#include "dump/trace/threads.h"

struct trace_npu;

struct trace_npu *trace_npu_new(const struct dump_context *context, struct trace_ops *ops, struct trace_calls *calls);
void trace_npu_free(struct trace_npu *npu);

/* An end of an arrow, or an event whose category is unknown or missing. True for a task. */
bool trace_npu_event(struct trace_npu *npu, const struct trace_event *event);

/* A call on the host begins, in a call of the operator `op`. */
void trace_npu_begin(struct trace_npu *npu, const struct trace_thread *thread, int64_t ns, uint32_t op, uint32_t call);

/* Gives the operators the time of their tasks, and emits where they ran. */
void trace_npu_settle(struct trace_npu *npu);
