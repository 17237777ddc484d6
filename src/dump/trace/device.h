#pragma once
/*
 * Time on the device, attributed to the operators that launched it.
 *
 * A kernel names its operator ("External id") or its launch ("correlation"); both are numbers that count up through
 * the trace. The launchers of the newest ones are kept, up to limits.launches. Calls, launches and work come in order
 * of time; work whose launch seems to come later, because two clocks differ, waits, up to a limit as well.
 */
#include "dump/trace/calls.h"

struct trace_device;

struct trace_device *trace_device_new(const struct dump_context *context, struct trace_calls *calls);
void trace_device_free(struct trace_device *device);

/* A call with this External id; a launch with this correlation. */
void trace_device_operator(struct trace_device *device, uint64_t external, const struct trace_launcher *launcher);
void trace_device_launch(struct trace_device *device, uint64_t correlation, const struct trace_launcher *launcher);

/* Work on the device, whose ids are 0 when they are not recorded. Its time is counted in facts->device_time. */
struct trace_device_work {
	uint64_t external, correlation;
	struct trace_work work;
};
void trace_device_add_work(struct trace_device *device, const struct trace_device_work *work);

/* End of the trace: work that still waits has no operator. */
void trace_device_finish(struct trace_device *device);
