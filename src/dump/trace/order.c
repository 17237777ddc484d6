#include "dump/trace/order.h"

#include <stdlib.h>

#include "base/memory/mem.h"

enum { KEPT_STEPS = 3 }; /* none, the first and the second */

struct turn {
	int64_t ns;
	uint32_t op, depth;
};

struct turns {
	struct turn *items;
	size_t count, capacity;
};

struct trace_order {
	const struct dump_context *context;
	struct trace_ops *ops;
	size_t max;
	struct turns steps[KEPT_STEPS];
};

struct trace_order *trace_order_new(const struct dump_context *context, struct trace_ops *ops)
{
	return MEM_NEW(struct trace_order, .context = context, .ops = ops, .max = (size_t)context->limits->step_turns);
}

void trace_order_free(struct trace_order *order)
{
	for (size_t i = 0; i < KEPT_STEPS; i++)
		free(order->steps[i].items);
	free(order);
}

void trace_order_add(struct trace_order *order, uint32_t step, int64_t ns, uint32_t op, uint32_t depth)
{
	if (step >= KEPT_STEPS || order->steps[step].count >= order->max ||
		!trace_ops_traits(order->ops, op).is_operator)
		return;
	MEM_PUSH(&order->steps[step], ((struct turn){ ns, op, depth }));
}

static int by_time(const void *a, const void *b)
{
	const struct turn *left = a, *right = b;

	return ORDER(left->ns, right->ns) ?: ORDER(left->depth, right->depth) ?: ORDER(left->op, right->op);
}

static struct turns *chosen(struct trace_order *order, uint32_t steps, bool cut)
{
	if (!steps)
		return &order->steps[0];
	return steps >= 3 || (steps == 2 && !cut) ? &order->steps[2] : &order->steps[1];
}

void trace_order_emit(struct trace_order *order, unsigned stream, uint32_t steps, bool cut)
{
	const struct event_sink *sink = order->context->sink;
	struct turns *turns = chosen(order, steps, cut);

	if (!turns->count || !sink->order)
		return;
	qsort(turns->items, turns->count, sizeof(turns->items[0]), by_time);
	for (size_t i = 0; i < turns->count; i++) {
		struct op_turn turn = trace_ops_turn(order->ops, turns->items[i].op);

		turn.depth = turns->items[i].depth;
		sink->order(sink->ctx, stream, &turn, 1);
	}
}
