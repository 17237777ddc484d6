#include "assess/shape/followers.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "op/profile_links.h"
#include "op/shape.h"

/* A size that occurred at a place that changes, and who decided it. */
struct origin {
	int64_t size;
	uint32_t op; /* NO_OPERATOR: it came with the inputs */
};

/* One step of one stream under way. */
struct step_in_order {
	const struct profile_use *uses;
	const struct result_dynamic *dynamic;
	const uint32_t *operator_of_use; /* NO_OPERATOR: of none */
	const bool *by_data;
	struct arena scratch;
	struct map by_size;
	struct {
		struct origin *items;
		size_t count, capacity; /* on the heap */
	} origins;
	uint32_t steps;        /* of the stream */
	uint32_t last_by_data; /* the newest operator whose result depends on values */
	struct followed {
		uint32_t op;    /* the first that it follows; NO_OPERATOR: none */
		bool by_inputs; /* some size of it came with the inputs */
	} * followed;           /* per operator */
};

static uint32_t origin_of(struct step_in_order *order, int64_t size)
{
	uint64_t hash = hash_mix((uint64_t)size, hash_seed() | 1);
	struct map_cursor at = map_start(&order->by_size, hash);

	while (map_next(&order->by_size, &at)) {
		if (order->origins.items[at.index].size == size)
			return order->origins.items[at.index].op;
	}
	map_add(&order->by_size, hash, (uint32_t)order->origins.count);
	MEM_PUSH(&order->origins, ((struct origin){ size, order->last_by_data }));
	return order->last_by_data;
}

static void follow_turn(struct step_in_order *order, uint32_t use)
{
	uint32_t op = order->operator_of_use[use];
	struct followed *followed = &order->followed[op];
	const struct step_runs *steps = &order->uses[use].steps;
	const struct step_run *run = step_runs_items(steps);
	/* the same shapes in every step: another place in the program than the one that changes */
	bool constant = steps->count == 1 && run->first == 1 && run->last == order->steps;
	struct shape shape;

	arena_clear(&order->scratch);
	if (!order->dynamic[op].dim_count || constant || !shape_parse(&order->scratch, order->uses[use].shapes, &shape))
		return;
	for (size_t i = 0; i < shape.count; i++) {
		uint32_t origin;

		if (!dynamic_changes_at(&order->dynamic[op], &shape.sizes[i]))
			continue;
		origin = origin_of(order, shape.sizes[i].size);
		followed->by_inputs |= origin == NO_OPERATOR;
		if (followed->op == NO_OPERATOR)
			followed->op = origin;
	}
}

static void follow_step(struct step_in_order *order, const struct profile_turn *turns, size_t count)
{
	order->last_by_data = NO_OPERATOR;
	order->origins.count = 0;
	map_clear(&order->by_size);
	for (size_t i = 0; i < count; i++) {
		uint32_t op = turns[i].use == NO_USE ? NO_OPERATOR : order->operator_of_use[turns[i].use];

		if (op == NO_OPERATOR)
			continue;
		follow_turn(order, turns[i].use);
		if (order->by_data[op])
			order->last_by_data = op;
	}
}

void followers_find(const struct profile *profile, const struct operators *operators, const bool *by_data,
	struct result_dynamic *dynamic)
{
	size_t stream_count, count;
	const struct profile_stream *streams;
	struct step_in_order order = { .uses = profile_uses(profile, &count),
		.dynamic = dynamic,
		.operator_of_use = operators->of_uses,
		.by_data = by_data,
		.scratch = ARENA_INIT(ARENA_UNLIMITED) };

	order.followed = mem_resize(NULL, operators->count + 1, sizeof(order.followed[0]));
	for (size_t i = 0; i < operators->count; i++)
		order.followed[i] = (struct followed){ NO_OPERATOR, false };
	streams = profile_streams(profile, &stream_count);
	for (size_t i = 0; i < stream_count; i++) {
		const struct profile_turn *turns = profile_order(profile, (uint32_t)i, &count);

		order.steps = streams[i].steps;
		follow_step(&order, turns, count);
	}
	for (size_t i = 0; i < operators->count; i++) {
		const struct followed *followed = &order.followed[i];

		if (followed->op != NO_OPERATOR && !followed->by_inputs && !by_data[i])
			dynamic[i].follows = operators->items[followed->op].name;
	}
	map_clear(&order.by_size);
	arena_clear(&order.scratch);
	free(order.origins.items);
	free(order.followed);
}
