#pragma once
/*
 * The distinct names, shapes and types of a trace, and what was counted of each since its last row was emitted.
 *
 * Calls and times are gathered and emitted as rows when the step changes or at the end, so that the sink hears of a
 * distinct operator a few times a step. Their number is bounded; further ones are emitted call by call.
 */
#include "dump/common/format.h"
#include "dump/trace/event.h"

#define TRACE_NO_OP UINT32_MAX

struct trace_ops;

struct trace_ops *trace_ops_new(const struct dump_context *context);
void trace_ops_free(struct trace_ops *ops);

/* The number of what an event recorded; TRACE_NO_OP when there are too many. */
uint32_t trace_ops_of(struct trace_ops *ops, const struct trace_event *event);

/* Takes over what an event recorded beyond what tells it from others: strides, values. */
void trace_ops_detail(struct trace_ops *ops, uint32_t op, const struct trace_event *event);

/* Facts on one operator. */
struct trace_traits {
	uint32_t name;   /* the number of its name, from 1, if it is an operator or an autograd node; 0 for others */
	uint32_t around; /* its name for calls inside it: its own, or that of a compiled region; 0: none */
	bool is_operator;
	bool is_node; /* of autograd */
	bool is_label, is_collective;
	bool is_compiled; /* torch.compile made it, or it is a mark of it */
	bool is_region;   /* code that torch.compile made, around what it calls */
	bool is_loader;   /* a DataLoader's __next__, around what it calls */
	bool is_copy;     /* a call of the host that copies */
	bool crosses;     /* a copy between host and device, by the name of the work */
	bool is_graph;    /* a call of the host that launches a captured graph */
	bool stepped;     /* steps matter to it: it is an operator, or a mark of a compilation */
};

struct trace_traits trace_ops_traits(const struct trace_ops *ops, uint32_t op);
struct str trace_ops_name(const struct trace_ops *ops, uint32_t name);

/* The name that an operator, a label or a call was recorded with. */
struct str trace_ops_text(const struct trace_ops *ops, uint32_t op);

/* Its identity in the order of a step. */
struct op_turn trace_ops_turn(const struct trace_ops *ops, uint32_t op);

/* Adds to its times; either may be negative. */
void trace_ops_add_time(struct trace_ops *ops, uint32_t op, int64_t self_ns, int64_t total_ns);
void trace_ops_add_device(struct trace_ops *ops, uint32_t op, int64_t ns);
void trace_ops_add_kernel(struct trace_ops *ops, uint32_t op); /* that it launched */

/* Counts a call in a step, or in none: 0. */
void trace_ops_add_call(struct trace_ops *ops, uint32_t op, uint32_t step);

/* Emits an event of which there are too many. */
void trace_ops_emit_event(struct trace_ops *ops, const struct trace_event *event, uint32_t step, int64_t dur_ns);

/* Emits all that was counted, in the order of the first calls; returns the stream. Without steps the trace is one. */
unsigned trace_ops_emit(struct trace_ops *ops, uint32_t steps);

/* Ends the table. */
void trace_ops_finish(struct trace_ops *ops, uint32_t steps, bool cut);

/* Operators that were emitted or counted. */
uint64_t trace_ops_operators(const struct trace_ops *ops);

/* True when names came with their overloads: PyTorch 2.8 or later. */
bool trace_ops_overloads(const struct trace_ops *ops);
