#include "dump/npu/csv_sums.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"

enum { MAX_SUMS = 16384, USUAL_TEXT_BYTES = 1 << 20 };

struct csv_sums {
	const struct event_sink *sink;
	uint64_t seed, hash; /* hash: of what was looked for last */
	char *text;          /* of all sums, one after the other */
	size_t text_bytes, text_room;
	struct map by_hash;
	struct csv_sum items[MAX_SUMS];
	size_t count;
};

struct csv_sums *csv_sums_new(const struct event_sink *sink)
{
	struct csv_sums *sums = mem_zalloc(sizeof(*sums));

	sums->sink = sink;
	sums->seed = hash_seed();
	sums->text_room = USUAL_TEXT_BYTES;
	sums->text = mem_resize(NULL, sums->text_room, 1);
	return sums;
}

void csv_sums_free(struct csv_sums *sums)
{
	map_clear(&sums->by_hash);
	free(sums->text);
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

static struct str keep_text(struct csv_sums *sums, struct str text)
{
	char *copy = sums->text + sums->text_bytes;

	if (text.len)
		memcpy(copy, text.ptr, text.len);
	sums->text_bytes += text.len;
	return (struct str){ copy, text.len };
}

/* Room for the texts of one more sum. A row that is longer than all of it comes into an empty one. */
static void make_room(struct csv_sums *sums, unsigned stream, size_t text_bytes)
{
	if (sums->count == MAX_SUMS || text_bytes > sums->text_room - sums->text_bytes)
		csv_sums_emit(sums, stream);
	if (text_bytes <= sums->text_room)
		return;
	sums->text = mem_resize(sums->text, text_bytes, 1);
	sums->text_room = text_bytes;
}

struct csv_sum *csv_sums_add(
	struct csv_sums *sums, unsigned stream, struct str name, struct str cell, struct str shapes)
{
	struct csv_sum *sum;

	make_room(sums, stream, name.len + cell.len + shapes.len);
	map_add(&sums->by_hash, sums->hash, (uint32_t)sums->count);
	sum = &sums->items[sums->count++];
	*sum = (struct csv_sum){
		.name = keep_text(sums, name), .cell = keep_text(sums, cell), .shapes = keep_text(sums, shapes)
	};
	return sum;
}

void csv_sums_emit(struct csv_sums *sums, unsigned stream)
{
	for (size_t i = 0; i < sums->count; i++) {
		const struct csv_sum *sum = &sums->items[i];
		struct op_row row = { .name = sum->name,
			.shapes = sum->shapes,
			.calls = sum->calls,
			.self_cpu_ns = sum->self_cpu_ns,
			.cpu_total_ns = sum->cpu_total_ns,
			.self_device_ns = sum->self_device_ns,
			.line = sum->line };

		sums->sink->rows(sums->sink->ctx, stream, &row, 1);
	}
	sums->count = sums->text_bytes = 0;
	map_forget(&sums->by_hash);
}
