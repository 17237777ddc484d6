#include "dump/trace/threads.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"

struct trace_threads {
	struct trace_thread *items;
	size_t count, capacity, most, last;
	uint64_t seed;
};

struct trace_threads *trace_threads_new(uint64_t most)
{
	return MEM_NEW(struct trace_threads, .most = (size_t)most, .seed = hash_seed());
}

void trace_threads_free(struct trace_threads *threads)
{
	free(threads->items);
	free(threads);
}

static bool is_at(const struct trace_threads *threads, size_t at, struct trace_thread key)
{
	return at < threads->count && threads->items[at].process == key.process &&
	       threads->items[at].thread == key.thread;
}

uint16_t trace_threads_of(struct trace_threads *threads, struct str pid, struct str tid)
{
	struct trace_thread key = { hash_str(threads->seed, pid), hash_str(threads->seed, tid) };
	size_t at = threads->last;

	if (is_at(threads, at, key))
		return (uint16_t)at;
	for (at = 0; at < threads->count && !is_at(threads, at, key); at++)
		;
	if (at == threads->count) {
		if (at == threads->most)
			return (uint16_t)(at - 1);
		MEM_PUSH(threads, key);
	}
	threads->last = at;
	return (uint16_t)at;
}

struct trace_thread trace_threads_at(const struct trace_threads *threads, uint16_t number)
{
	return threads->items[number];
}

size_t trace_threads_count(const struct trace_threads *threads)
{
	return threads->count;
}
