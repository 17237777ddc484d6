#pragma once
/*
 * Nesting of the spans of a thread: self time of operators, launches and surroundings.
 *
 * Spans are put in order first (sorter.h) and placed when the trace is read, or earlier when no more of them can be
 * held: then a span that begins before those that were placed already is counted in facts->unsorted_events, and its
 * parent may be wrong.
 *
 * The times of the spans themselves are never negative and add up, on each thread, to the time in which any span ran.
 */
#include "dump/trace/device.h"
#include "dump/trace/npu.h"
#include "dump/trace/order.h"
#include "dump/trace/sorter.h"
#include "dump/trace/steps.h"
#include "dump/trace/threads.h"

struct trace_nest;

/* To whom a placed span is of interest. */
struct trace_parts {
	struct trace_threads *threads;
	struct trace_ops *ops;
	struct trace_calls *calls;
	struct trace_steps *steps;
	struct trace_order *order;
	struct trace_device *device;
	struct trace_npu *npu;
	bool is_npu; /* the trace is one of torch_npu: begins of calls matter */
};

/* The parts outlive it. */
struct trace_nest *trace_nest_new(const struct dump_context *context, const struct trace_parts *parts);
void trace_nest_free(struct trace_nest *nest);

void trace_nest_add(struct trace_nest *nest, const struct trace_span *span);

/* Places all that was added. */
void trace_nest_finish(struct trace_nest *nest);
