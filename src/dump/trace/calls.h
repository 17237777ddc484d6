#pragma once
/*
 * The calls of a trace one by one, as far as limits.placed_calls goes: their module and line of source are known only
 * at the end, as frames of Python come after all operators of a trace.
 *
 * A call, held or not, counts in its site (trace_sites.h). Frames are held as well, up to limits.frames. Those over
 * the limits are counted in the facts.
 */
#include "dump/trace/places.h"
#include "dump/trace/sites.h"

#define TRACE_NO_CALL UINT32_MAX

struct trace_calls;

struct trace_calls *trace_calls_new(const struct dump_context *context, struct trace_ops *ops,
	struct trace_sites *sites, struct trace_places *places);
void trace_calls_free(struct trace_calls *calls);

/* One call of an operator or of an autograd node. */
struct trace_call {
	int64_t begin_ns, dur_ns;
	uint32_t op;
	uint16_t thread;
};

/* Counts it, without times. Its number, for the functions below; TRACE_NO_CALL when nothing of it is kept. */
uint32_t trace_calls_add(struct trace_calls *calls, const struct trace_call *call, const struct trace_surrounding *at);

void trace_calls_add_times(struct trace_calls *calls, uint32_t call, int64_t self_ns, int64_t device_ns);

/* To whom work on the device belongs. */
struct trace_launcher {
	uint32_t op, call; /* TRACE_NO_OP: to nothing that was recorded */
	bool covered;      /* it lies in an operator or a collective, or is one */
	bool is_graph;     /* the work was captured before: the launch of the graph is not its operator */
};

/* Work on the device. */
struct trace_work {
	uint32_t kernel; /* that ran, as an op; TRACE_NO_OP: it has no name */
	int64_t dur_ns;
};

/* Work that a call of an operator or of something else launched; work that no known call launched. */
void trace_calls_work(struct trace_calls *calls, const struct trace_launcher *launcher, const struct trace_work *work);
void trace_calls_unlinked(struct trace_calls *calls, const struct trace_work *work);

/* Returns whether torch.compile made it; false for TRACE_NO_OP. */
bool trace_calls_is_compiled(const struct trace_calls *calls, uint32_t op);

/* A frame of Python or a span of the user: a part of a module path or a line of source, by its number in the places. */
struct trace_frame {
	int64_t begin_ns, end_ns;
	uint32_t text;
	uint16_t thread;
	bool is_source;
};

/* When everything was read: puts calls in order. From here on their numbers are those of the functions below. */
void trace_calls_sort(struct trace_calls *calls);

/* The innermost call that runs on a thread at a time; the first one of an autograd node that begins then or later. */
bool trace_calls_at(const struct trace_calls *calls, uint16_t thread, int64_t ns, uint32_t *ret);
bool trace_calls_node(const struct trace_calls *calls, uint16_t thread, int64_t ns, uint32_t *ret);

uint32_t trace_calls_op(const struct trace_calls *calls, uint32_t call);

/* A node belongs to a forward operator. */
void trace_calls_forward(struct trace_calls *calls, uint32_t node, uint32_t forward);

void trace_calls_frame(struct trace_calls *calls, const struct trace_frame *frame);

/* Emits all links, those of the sites as well. No call has a number behind that. */
void trace_calls_emit(struct trace_calls *calls, unsigned stream);
