#pragma once
/*
 * Traces of Kineto and of the legacy autograd profiler: Chrome's trace format, as an object or as a list of events.
 *
 * Operators come with their shapes and types where recorded, the time of an operator itself from the nesting of events
 * on a thread, steps from ProfilerStep# spans, time on the device from the kernels that an operator launched. Memory
 * does not grow with the trace; what that costs is counted in the facts.
 */
#include "dump/common/format.h"

extern const struct dump_format dump_trace;
