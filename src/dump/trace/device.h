#pragma once
/*
 * Time on the device: which operator launched what a trace shows on it.
 *
 * A kernel names its operator ("External id") or its launch ("correlation"); both are numbers that count up through the trace. What
 * stands under the newest of them is kept, up to a limit. Kernels may come before their launches and wait, up to a limit as well.
 */
#include "dump/trace/calls.h"

struct trace_device;

struct trace_device *trace_device_new(const struct limits *limits, struct trace_ops *ops, struct trace_calls *calls);
void trace_device_free(struct trace_device *device);

/* An operator with this External id; a launch with this correlation, inside of an operator. */
void trace_device_operator(struct trace_device *device, uint64_t external, uint32_t op, uint32_t call);
void trace_device_launch(struct trace_device *device, uint64_t correlation, uint32_t op, uint32_t call);

/* Work on the device; an id is 0 when it is not recorded. False when the launches at hand must be told before more can wait. */
bool trace_device_work(struct trace_device *device, uint64_t external, uint64_t correlation, int64_t dur_ns);

/* Adds the time of the work that waits to the operators that are known by now. All: the rest is given up. */
void trace_device_settle(struct trace_device *device, bool all);

/* Kernels and copies whose operator was not found. */
uint64_t trace_device_unmatched(const struct trace_device *device);
