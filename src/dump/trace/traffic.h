#pragma once
/*
 * Traffic of a trace: collectives between ranks and copies between memories, summed up.
 *
 * Collectives are those that the profiler recorded with their sizes (record_param_comms), up to MAX_COLLECTIVES
 * different ones.
 */
#include "dump/common/traffic.h"
#include "dump/trace/event.h"

/* A call of a collective, if the event has its arguments, or of an operator of PyTorch's functional collectives that
   says how it reduces. */
void trace_traffic_collective(struct dump_traffic *traffic, const struct trace_event *event);

/* A copy or a fill on the device, as its name tells, or a call of the host that copies. */
void trace_traffic_copy(struct dump_traffic *traffic, const struct trace_event *event, int64_t dur_ns);
