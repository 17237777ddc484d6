#pragma once
/*
 * The steps of a trace: ProfilerStep# spans, and the calls that wait until the span they lie in is known.
 *
 * A call belongs to the step of its process whose [begin, end) holds its begin. Spans may stand behind the calls (1.8 to 1.10) or
 * behind those of a whole thread (1.11 to 2.x, of the backward thread), so calls that no known span holds are kept, up to a limit.
 */
#include "dump/trace/order.h"

struct trace_steps;

struct trace_steps *trace_steps_new(const struct limits *limits, struct trace_ops *ops, struct trace_order *order);
void trace_steps_free(struct trace_steps *steps);

/* True when the name is that of a step. */
bool trace_steps_is_mark(struct str name);

/* A step of a process; pid is a hash of what names it. */
void trace_steps_add(struct trace_steps *steps, uint64_t pid, int64_t begin_ns, int64_t dur_ns);

/* The number of the step, from 1; 0 when none is known that holds the time. */
uint32_t trace_steps_at(struct trace_steps *steps, uint64_t pid, int64_t ns);

/* Counts a call in its step, now or when that is known. depth: how many operators it ran inside of. */
void trace_steps_call(struct trace_steps *steps, uint64_t pid, int64_t ns, uint32_t op, uint32_t depth);

/* Counts all calls that still wait. Returns how many steps there were. */
uint32_t trace_steps_finish(struct trace_steps *steps);

/* Calls that could not wait any longer and are in no step. */
uint64_t trace_steps_unplaced(const struct trace_steps *steps);
