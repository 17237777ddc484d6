#include "dump/npu/csv_sums.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

enum { MAX_SUMS = 4096, MAX_TEXT_BYTES = 1 << 20 };

struct csv_sums {
	const struct event_sink *sink;
	uint64_t seed, hash; /* hash: of what was looked for last */
	struct arena text;
	size_t text_bytes;
	struct map by_hash;
	struct csv_sum items[MAX_SUMS];
	size_t count;
};

struct csv_sums *csv_sums_new(const struct event_sink *sink)
{
	struct csv_sums *sums = mem_zalloc(sizeof(*sums));

	sums->sink = sink;
	sums->seed = hash_seed();
	sums->text = ARENA_INIT(ARENA_UNLIMITED); /* a row more than MAX_TEXT_BYTES */
	return sums;
}

void csv_sums_free(struct csv_sums *sums)
{
	if (!sums)
		return;
	map_clear(&sums->by_hash);
	arena_clear(&sums->text);
	free(sums);
}

struct csv_sum *csv_sums_find(struct csv_sums *sums, struct str name, struct str cell)
{
	struct map_cursor at;

	sums->hash = hash_str(hash_str(sums->seed, name), cell);
	at = map_start(&sums->by_hash, sums->hash);
	while (map_next(&sums->by_hash, &at)) {
		if (str_eq(sums->items[at.index].name, name) && str_eq(sums->items[at.index].cell, cell))
			return &sums->items[at.index];
	}
	return NULL;
}

struct csv_sum *csv_sums_add(
	struct csv_sums *sums, unsigned stream, struct str name, struct str cell, struct str shapes)
{
	struct csv_sum *sum;

	if (sums->count == MAX_SUMS || sums->text_bytes > MAX_TEXT_BYTES)
		csv_sums_emit(sums, stream);
	map_add(&sums->by_hash, sums->hash, (uint32_t)sums->count);
	sums->text_bytes += name.len + cell.len + shapes.len;
	sum = &sums->items[sums->count++];
	*sum = (struct csv_sum){ .name = arena_keep(&sums->text, name),
		.cell = arena_keep(&sums->text, cell),
		.shapes = arena_keep(&sums->text, shapes) };
	return sum;
}

void csv_sums_emit(struct csv_sums *sums, unsigned stream)
{
	for (size_t i = 0; i < sums->count; i++) {
		const struct csv_sum *sum = &sums->items[i];
		struct op_row row = { .name = sum->name,
			.overload = STR(""),
			.shapes = sum->shapes,
			.dtypes = STR(""),
			.calls = sum->calls,
			.self_cpu_ns = sum->self_cpu_ns,
			.cpu_total_ns = sum->cpu_total_ns,
			.self_device_ns = sum->self_device_ns,
			.line = sum->line };

		sums->sink->rows(sums->sink->ctx, stream, &row, 1);
	}
	sums->count = sums->text_bytes = 0;
	map_clear(&sums->by_hash);
	arena_clear(&sums->text);
}
