#include "assess/estimate/calls.h"

#include "assess/shape/tensors.h"
#include "base/memory/mem.h"
#include "base/setup/beside.h"
#include "base/value/figure.h"
#include "op/profile_links.h"

/* Operators behind a convolution that may show its output; depths that a walk keeps. */
enum { FOLLOWERS = 30, DEEPEST = 256 };

/* --- the order of a step */

void calls_walk(const struct profile *profile, calls_enter *enter, void *ctx)
{
	uint32_t around[DEEPEST + 1];
	size_t streams, count;

	profile_streams(profile, &streams);
	around[0] = NO_USE;
	for (size_t stream = 0; stream < streams; stream++) {
		const struct profile_turn *turns = profile_order(profile, (uint32_t)stream, &count);
		uint32_t filled = 0; /* depths whose around is of this place */

		for (size_t i = 0; i < count; i++) {
			uint32_t depth = turns[i].depth < DEEPEST ? turns[i].depth : DEEPEST - 1;
			struct call_turn turn = { turns[i].use, 0, &turns[i], turns + count };

			for (; filled < depth; filled++)
				around[filled + 1] = around[filled];
			turn.around = around[depth];
			around[depth + 1] = turn.use == NO_USE ? turn.around : enter(ctx, &turn);
			filled = depth + 1;
		}
	}
}

/* --- uses */

struct gathering {
	struct arena scratch;
	struct calls *calls;
	unsigned assumed;
	struct work *works; /* by name */
	struct part {
		struct str behind; /* of a convolution: shapes of the operator behind it, where it was first found */
		double kernels, device_ns; /* of parts in the ordered step */
	} * items;                         /* by use */
};

/* The first shapes behind a call that begin with a tensor of three dimensions or more. */
static struct str shapes_behind(struct gathering *all, const struct call_turn *turn)
{
	for (const struct profile_turn *next = turn->at + 1; next < turn->end && next < turn->at + FOLLOWERS; next++) {
		struct tensors found = { 0 };
		struct str shapes = STR("");

		if (next->depth <= turn->at->depth && next->use != NO_USE)
			shapes = all->calls->uses[next->use].shapes;
		if (tensors_read(&all->scratch, shapes, STR(""), 0, &found) && found.count && found.items->rank >= 3)
			return shapes;
		arena_reset(&all->scratch);
	}
	return STR("");
}

static uint32_t enter_use(void *ctx, const struct call_turn *turn)
{
	struct gathering *all = ctx;
	struct call_use *item = &all->calls->items[turn->use];
	struct part *part = &all->items[turn->use];

	all->calls->ordered = true;
	item->turns++;
	if (item->cost.class == WORK_CONV && !part->behind.len)
		part->behind = shapes_behind(all, turn);
	if (item->part && turn->around != NO_USE) {
		const struct profile_use *use = &all->calls->uses[turn->use];

		all->items[turn->around].kernels += item->kernels;
		all->items[turn->around].device_ns += (double)use->self_device_ns /
						      (use->calls ? (double)use->calls : 1);
	}
	return turn->use;
}

static void begin_use(const struct gathering *all, const struct name *name, size_t at)
{
	const struct profile_use *use = &all->calls->uses[at];

	if (name->name_class != NAME_OPERATOR)
		return;
	all->calls->items[at] = (struct call_use){ .cost = { .class = all->works[use->name].class },
		.kernels = use->calls ? use->kernels / (double)use->calls : 0,
		.device_ns = use->self_device_ns,
		.part = str_ends(name->base, STR("backward_input")) || str_ends(name->base, STR("backward_weight")) ||
			str_ends(name->base, STR("backward_bias")) };
	all->calls->counted |= use->kernels > 0;
	all->calls->launched |= use->self_device_ns > 0;
}

static void finish_use(const struct gathering *all, struct arena *scratch, size_t at)
{
	const struct profile_use *use = &all->calls->uses[at];
	struct call_use *item = &all->calls->items[at];
	const struct part *part = &all->items[at];

	if (item->cost.class != WORK_NONE && use->calls)
		item->cost = call_cost_of(scratch, &(struct cost_call){ .work = all->works[use->name],
							   .shapes = use->shapes_cut ? STR("") : use->shapes,
							   .dtypes = use->dtypes,
							   .concrete = use_concrete(use),
							   .next = part->behind,
							   .assumed = all->assumed });
	if (!(part->kernels > 0))
		return;
	item->kernels += part->kernels / (double)item->turns;
	item->device_ns = figure_add(
		item->device_ns, (int64_t)(part->device_ns / (double)item->turns * (double)use->calls));
}

static void finish_uses(void *ctx, size_t from, size_t to)
{
	CLEANUP(arena_clear) struct arena scratch = ARENA_INIT(ARENA_UNLIMITED);

	for (size_t i = from; i < to; i++)
		finish_use(ctx, &scratch, i);
}

void calls_gather(struct arena *arena, const struct profile *profile, unsigned assumed, struct calls *ret)
{
	size_t name_count;
	const struct profile_name *names = profile_names(profile, &name_count);
	struct gathering all = { .scratch = ARENA_INIT(ARENA_UNLIMITED), .calls = ret, .assumed = assumed };

	*ret = (struct calls){ .profile = profile };
	ret->uses = profile_uses(profile, &ret->count);
	ret->items = arena_alloc(arena, (ret->count + 1) * sizeof(ret->items[0]));
	all.items = arena_alloc(arena, (ret->count + 1) * sizeof(all.items[0]));
	all.works = arena_alloc(arena, (name_count + 1) * sizeof(all.works[0]));
	for (size_t i = 0; i < name_count; i++) {
		if (names[i].name.name_class == NAME_OPERATOR)
			all.works[i] = work_of(names[i].name.ns, names[i].name.base);
	}
	for (size_t i = 0; i < ret->count; i++)
		begin_use(&all, &names[ret->uses[i].name].name, i);
	calls_walk(profile, enter_use, &all);
	arena_clear(&all.scratch);
	beside_halves(ret->count, finish_uses, &all);
}
