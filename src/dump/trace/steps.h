#pragma once
/*
 * The steps of a trace: ProfilerStep# spans. A call belongs to the step of its process whose [begin, end) holds its
 * begin.
 *
 * Spans may come after the calls in the file, so all must be added before the first call is looked up.
 */
#include "base/view/str.h"

struct trace_steps;

struct trace_steps *trace_steps_new(void);
void trace_steps_free(struct trace_steps *steps);

/* True when the name is that of a step. */
bool trace_steps_is_mark(struct str name);

/* A step of a process; pid is a hash of what names it. */
void trace_steps_add(struct trace_steps *steps, uint64_t pid, int64_t begin_ns, int64_t dur_ns);

/* The number of the step, from 1 in the order in which they are asked for; 0 when none is known that holds the time.
   Early: more steps may follow. */
uint32_t trace_steps_at(struct trace_steps *steps, uint64_t pid, int64_t ns, bool early);

/* Returns the number of recorded steps. */
uint32_t trace_steps_count(const struct trace_steps *steps);

/* Calls that were looked up early and are in no step that was known by then. */
uint64_t trace_steps_unplaced(const struct trace_steps *steps);
