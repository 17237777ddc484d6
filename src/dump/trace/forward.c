#include "dump/trace/forward.h"

#include <stdlib.h>

#include "base/mem.h"

enum { SLOTS = 1 << 16 }; /* nodes of one step, forward to backward */

struct entry {
	uint32_t sequence, name; /* name 0: of two threads */
	uint32_t thread;
};

struct trace_forward {
	struct entry *entries; /* made at need */
};

struct trace_forward *trace_forward_new(void)
{
	return mem_zalloc(sizeof(struct trace_forward));
}

void trace_forward_free(struct trace_forward *forward)
{
	free(forward->entries);
	free(forward);
}

void trace_forward_add(struct trace_forward *forward, uint32_t sequence, uint16_t thread, uint32_t name)
{
	struct entry *entry;

	if (!forward->entries)
		forward->entries = mem_zalloc(SLOTS * sizeof(forward->entries[0]));
	entry = &forward->entries[sequence % SLOTS];
	if (entry->sequence == sequence && entry->thread != thread)
		name = 0;
	*entry = (struct entry){ sequence, name, thread };
}

uint32_t trace_forward_of(const struct trace_forward *forward, uint32_t sequence)
{
	const struct entry *entry = forward->entries ? &forward->entries[sequence % SLOTS] : NULL;

	return entry && entry->sequence == sequence ? entry->name : 0;
}
