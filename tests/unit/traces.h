#pragma once
/* Events of traces as text, and what the reader tells of them. */
#include "dump/common/format.h"

/* What the reader of traces tells of a text, as in recorder.h; fails the test unless it is the same in pieces of any size. */
int read_trace(const char *text, const struct limits *limits, struct buf *ret, struct dump_facts *ret_facts);

#define OP(name, ts, dur, more)                                                                                        \
	"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"" name "\", \"pid\": 1, \"tid\": 2, \"ts\": " ts             \
	", \"dur\": " dur ", \"args\": {" more "}}"
#define STEP(number, ts, dur)                                                                                          \
	"{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#" number                               \
	"\", \"pid\": 1, \"tid\": 2, \"ts\": " ts ", \"dur\": " dur "}"
#define TRACE(events) "{\"schemaVersion\": 1, \"traceEvents\": [\n" events "\n], \"traceName\": \"x\"}"
#define NODE(name, ts, dur, thread, more)                                                                              \
	"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"" name "\", \"pid\": 1, \"tid\": " thread ", \"ts\": " ts    \
	", \"dur\": " dur ", \"args\": {" more "}}"
#define SEQUENCE(number, thread) "\"Sequence number\": " number ", \"Fwd thread id\": " thread
#define LAUNCH(ts, id)                                                                                                 \
	"{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1, \"tid\": 2, "          \
	"\"ts\": " ts ", \"dur\": 1, "                                                                                 \
	"\"args\": {\"correlation\": " id "}}"
#define KERNEL(dur, args)                                                                                              \
	"{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": \"stream 7\", \"ts\": 99, "        \
	"\"dur\": " dur ", \"args\": {" args "}}"
/* A frame of Python on the thread of OP. */
#define FRAME(name, ts, dur)                                                                                           \
	"{\"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"" name "\", \"pid\": 1, \"tid\": 2, \"ts\": " ts    \
	", \"dur\": " dur ", \"args\": {\"Python parent id\": 1, \"Python id\": 2}}"
