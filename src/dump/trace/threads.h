#pragma once
/* The threads of a trace by number; beyond limits.threads the last number is shared by all further ones. */
#include "base/view/str.h"

struct trace_threads;

struct trace_threads *trace_threads_new(uint64_t most);
void trace_threads_free(struct trace_threads *threads);

/* The number of a thread, by what names its process and itself. */
uint16_t trace_threads_of(struct trace_threads *threads, struct str pid, struct str tid);

/* Hashes, with hash_seed(), of what names a thread and its process. */
struct trace_thread {
	uint64_t process, thread;
};
struct trace_thread trace_threads_at(const struct trace_threads *threads, uint16_t number);
size_t trace_threads_count(const struct trace_threads *threads);
