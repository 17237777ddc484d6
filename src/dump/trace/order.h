#pragma once
/*
 * The order in which the operators of one step ran: of the second step, which has no warm-up, or of the first when a
 * trace has no other or breaks off in the second. At most limits.step_turns operators of a step are kept.
 */
#include "dump/trace/ops.h"

struct trace_order;

struct trace_order *trace_order_new(const struct dump_context *context, struct trace_ops *ops);
void trace_order_free(struct trace_order *order);

/* A call of a step, or of none: 0. depth: number of operators around it. */
void trace_order_add(struct trace_order *order, uint32_t step, int64_t ns, uint32_t op, uint32_t depth);

/* Emits the step of a trace that had so many. */
void trace_order_emit(struct trace_order *order, unsigned stream, uint32_t steps, bool cut);
