#pragma once
/*
 * The spans of a trace in order of time, whatever their order in the file.
 *
 * Up to limits.sort_bytes of them are held in memory. Further ones go, sorted, to a temporary file without a name, up
 * to limits.spill_bytes, and are merged when they are taken out. A trace that fits in memory touches no file. While the
 * spans are sorted, they take a third more memory.
 */
#include "dump/trace/ops.h"
#include "dump/trace/places.h"

enum trace_span_kind {
	SPAN_CALL,   /* of an operator, a node or a label, on the host */
	SPAN_LAUNCH, /* a call of a runtime */
	SPAN_WORK,   /* on the device */
};

struct trace_span {
	int64_t begin_ns, dur_ns;
	uint64_t link; /* External id of a call or of work, correlation of a launch; 0: none */
	union {
		struct trace_place place; /* that a call recorded itself */
		uint64_t correlation;     /* of work; 0: none */
	};
	uint32_t op;       /* of trace_ops; of work, what ran: may be TRACE_NO_OP */
	uint32_t index;    /* "Ev Idx" */
	uint32_t sequence; /* lower half of the sequence number, and one; 0: none */
	uint16_t thread;
	uint16_t kind;
};

struct trace_sorter;

struct trace_sorter *trace_sorter_new(const struct limits *limits, const struct trace_ops *ops);
void trace_sorter_free(struct trace_sorter *sorter);

/* False if it is full: all must be taken out first. */
bool trace_sorter_add(struct trace_sorter *sorter, const struct trace_span *span);

/*
 * Takes the next one out: by begin, the longer one first, so that a span follows what it lies in. Of spans with the
 * same begin and end launches and work come last, then the External id decides, then Ev Idx, then what the name says.
 * False when it is empty.
 */
bool trace_sorter_next(struct trace_sorter *sorter, struct trace_span *ret);

/* Spans that could not be read back from the file. */
uint64_t trace_sorter_lost(const struct trace_sorter *sorter);
