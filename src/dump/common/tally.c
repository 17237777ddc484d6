#include "dump/common/tally.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/figure.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

enum { MAX_TEXT_BYTES = 16 << 20 };

struct tally {
	const struct event_sink *sink;
	size_t most;
	struct arena text;
	uint64_t seed;
	struct map by_name;
	struct {
		struct op_seen *items;
		size_t count, capacity;
	} sums;
};

struct tally *tally_new(const struct dump_context *context)
{
	struct tally *tally = mem_zalloc(sizeof(*tally));

	tally->sink = context->sink;
	tally->most = (size_t)context->limits->names;
	tally->text = ARENA_INIT(MAX_TEXT_BYTES);
	tally->seed = hash_seed();
	return tally;
}

void tally_free(struct tally *tally)
{
	if (!tally)
		return;
	map_clear(&tally->by_name);
	arena_clear(&tally->text);
	free(tally->sums.items);
	free(tally);
}

static struct op_seen *find(const struct tally *tally, uint64_t hash, const struct op_seen *seen)
{
	struct map_cursor at = map_start(&tally->by_name, hash);

	while (map_next(&tally->by_name, &at)) {
		struct op_seen *sum = &tally->sums.items[at.index];

		if (sum->where == seen->where && sum->kernel == seen->kernel && str_eq(sum->name, seen->name) &&
			str_eq(sum->launch, seen->launch))
			return sum;
	}
	return NULL;
}

void tally_add(struct tally *tally, const struct op_seen *seen)
{
	uint64_t hash = hash_str(hash_str(tally->seed + seen->where * 2 + seen->kernel, seen->name), seen->launch);
	struct op_seen *sum = find(tally, hash, seen), copy = *seen;

	if (!tally->sink->seen)
		return;
	if (sum) {
		sum->calls = figure_count(sum->calls, seen->calls);
		sum->device_ns = figure_add(sum->device_ns, seen->device_ns);
		return;
	}
	if (tally->sums.count >= tally->most || !arena_copy(&tally->text, seen->name, &copy.name) ||
		!arena_copy(&tally->text, seen->launch, &copy.launch)) {
		tally->sink->seen(tally->sink->ctx, seen);
		return;
	}
	map_add(&tally->by_name, hash, (uint32_t)tally->sums.count);
	MEM_PUSH(&tally->sums, copy);
}

void tally_tell(struct tally *tally)
{
	for (size_t i = 0; i < tally->sums.count; i++)
		tally->sink->seen(tally->sink->ctx, &tally->sums.items[i]);
	tally->sums.count = 0;
	map_clear(&tally->by_name);
}
