#include "dump/common/tally.h"

#include <stdlib.h>

#include "base/memory/arena.h"
#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"

enum { MAX_TEXT_BYTES = 16 << 20 };

struct tally {
	const struct event_sink *sink;
	size_t most;
	struct arena text;
	uint64_t seed;
	struct map by_name;
	MEM_LIST(struct op_observation) sums;
};

struct tally *tally_new(const struct dump_context *context)
{
	return MEM_NEW(struct tally, .sink = context->sink, .most = (size_t)context->limits->names,
		.text = ARENA_INIT(MAX_TEXT_BYTES), .seed = hash_seed());
}

void tally_free(struct tally *tally)
{
	map_clear(&tally->by_name);
	arena_clear(&tally->text);
	free(tally->sums.items);
	free(tally);
}

static struct op_observation *find_sum(
	const struct tally *tally, uint64_t hash, const struct op_observation *observation)
{
	struct map_cursor at = map_start(&tally->by_name, hash);

	while (map_next(&tally->by_name, &at)) {
		struct op_observation *sum = &tally->sums.items[at.index];

		if (sum->where == observation->where && sum->kernel == observation->kernel &&
			str_eq(sum->name, observation->name) && str_eq(sum->launch, observation->launch))
			return sum;
	}
	return NULL;
}

void tally_add(struct tally *tally, const struct op_observation *observation)
{
	uint64_t hash = hash_str(
		hash_str(tally->seed + observation->where * 2 + observation->kernel, observation->name),
		observation->launch);
	struct op_observation *sum = find_sum(tally, hash, observation), copy = *observation;

	if (!tally->sink->observe)
		return;
	if (sum) {
		sum->calls = figure_count(sum->calls, observation->calls);
		sum->device_ns = figure_add(sum->device_ns, observation->device_ns);
		return;
	}
	if (tally->sums.count >= tally->most || !arena_copy(&tally->text, observation->name, &copy.name) ||
		!arena_copy(&tally->text, observation->launch, &copy.launch)) {
		tally->sink->observe(tally->sink->ctx, observation);
		return;
	}
	map_add(&tally->by_name, hash, (uint32_t)tally->sums.count);
	MEM_PUSH(&tally->sums, copy);
}

void tally_emit(struct tally *tally)
{
	for (size_t i = 0; i < tally->sums.count; i++)
		tally->sink->observe(tally->sink->ctx, &tally->sums.items[i]);
	tally->sums.count = 0;
	map_clear(&tally->by_name);
}
