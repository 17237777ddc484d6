#pragma once
/*
 * The used parts of one event of a trace, as views of its bytes.
 *
 * The spellings are those of PyTorch 1.8 to 2.13, of torch_npu and of MUSA's Kineto (FORMATS 3.3 and 9).
 */
#include "dump/common/device.h"
#include "json/keys.h"
#include "op/name.h"

enum trace_kind {
	TRACE_OTHER,      /* nothing that is counted: metadata, counters */
	TRACE_OPERATOR,   /* an operator, and whatever else the profiler files under operators */
	TRACE_ANNOTATION, /* a span of the user or of a framework, steps among them */
	TRACE_LAUNCH,     /* a call of a runtime, which may start work on the device */
	TRACE_DEVICE,     /* work on the device */
	TRACE_FLOW,       /* one end of an arrow from an event to another */
	TRACE_FRAME,      /* a frame of Python that may say something of the program */
};

/* Arguments that only some events have. */
enum trace_argument {
	TRACE_STRIDES,
	TRACE_CONCRETE,   /* "Concrete Inputs" */
	TRACE_SEQUENCE,   /* "Sequence number": joins an autograd node with its forward operator */
	TRACE_STACK,      /* "Call stack" */
	TRACE_HIERARCHY,  /* "Module Hierarchy" */
	TRACE_COLLECTIVE, /* "Collective name" */
	TRACE_IN_ELEMENTS,
	TRACE_OUT_ELEMENTS,
	TRACE_DTYPE,
	TRACE_GROUP, /* "Process Group Name" */
	TRACE_GROUP_SIZE,
	TRACE_BYTES,
	TRACE_BACKEND,   /* "kernel_backend": triton */
	TRACE_TASK_TYPE, /* "Task Type": of work on an NPU */
	TRACE_ARGUMENT_COUNT,
};

struct trace_event {
	enum trace_kind kind;
	enum name_class known;   /* class of the name by the category; NAME_OPERATOR: unknown */
	enum device_kind device; /* vendor whose profiler alone writes the category */
	bool old_category;       /* "Operator": PyTorch 1.8 to 1.10 */
	bool has_category;
	bool has_overload; /* the name has its overload behind a dot, unless it is the default one */
	bool flow_end;
	uint64_t offset; /* byte of the text; not set by trace_event_read */
	struct json_value name, ts, dur, pid, tid;
	struct json_value category, id; /* of a flow */
	struct json_value dims, types;  /* of the arguments; raw.ptr is NULL when not recorded */
	struct json_value external;     /* "External id": joins a kernel with its operator */
	struct json_value correlation;  /* joins a kernel with its launch */
	struct json_value index;        /* "Ev Idx" */
	bool has_arguments;             /* the rest is set */
	struct json_value arguments[TRACE_ARGUMENT_COUNT];
};

/* An argument; NULL when the event has none such. */
static inline const struct json_value *trace_argument(const struct trace_event *event, enum trace_argument which)
{
	return event->has_arguments && event->arguments[which].raw.ptr ? &event->arguments[which] : NULL;
}

/* Layout of the events of a trace, learnt from earlier ones. */
struct trace_event_keys {
	struct json_keys members, arguments;
	bool flows;   /* arrows are read, not skipped */
	bool unknown; /* events of an unknown category are */
};

void trace_event_keys_init(struct trace_event_keys *keys);

/* Read one event and move the cursor past it. JSON_BROKEN also for an element that is not an event. */
enum json_status trace_event_read(struct trace_event_keys *keys, struct json_cursor *cursor, struct trace_event *ret);
