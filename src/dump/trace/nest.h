#pragma once
/*
 * Which event of a thread lies in which: what an operator took without those it called.
 *
 * Events come nearly in order of time, or threads one after the other, or inner events before outer ones. A window of the last
 * ones is put in order; then those that are open on each thread are a stack.
 */
#include "dump/trace/device.h"
#include "dump/trace/forward.h"
#include "dump/trace/npu.h"
#include "dump/trace/steps.h"

struct trace_nest;

/* One event. */
struct trace_span {
	int64_t begin_ns, dur_ns;
	uint64_t link;            /* External id of an operator, correlation of a launch; 0: none */
	uint32_t sequence;        /* lower half of the sequence number, and one; 0: none */
	uint32_t op;              /* or TRACE_NO_OP */
	struct trace_place place; /* that it recorded itself */
	uint16_t thread;
	bool is_launch;
};

/* What is found out of a span is told to these. */
struct trace_parts {
	struct trace_ops *ops;
	struct trace_calls *calls;
	struct trace_steps *steps;
	struct trace_device *device;
	struct trace_forward *forward;
	struct trace_npu *npu;
};

struct trace_nest *trace_nest_new(const struct limits *limits, const struct trace_parts *parts);
void trace_nest_free(struct trace_nest *nest);

/* The number of a thread, by what names its process and itself; beyond the limit the last one stands for all further ones. */
uint16_t trace_nest_thread(struct trace_nest *nest, struct str pid, struct str tid);

/* The first thread that was seen under this name, of any process: torch_npu shows CANN's calls under processes of its own. */
bool trace_nest_any_thread(const struct trace_nest *nest, struct str tid, uint16_t *ret);

/* A hash of what names the process of a thread. */
uint64_t trace_nest_process(const struct trace_nest *nest, uint16_t thread);

void trace_nest_add(struct trace_nest *nest, const struct trace_span *span);

/* Hands all that is in the window on. */
void trace_nest_flush(struct trace_nest *nest);
