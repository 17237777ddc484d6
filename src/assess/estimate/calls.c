#include "assess/estimate/calls.h"

#include "base/memory/mem.h"
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

			for (; filled < depth; filled++)
				around[filled + 1] = around[filled];
			around[depth + 1] = turns[i].use == NO_USE ? around[depth]
								   : enter(ctx, turns[i].use, around[depth]);
			filled = depth + 1;
		}
	}
}

/* --- outputs that the next operator shows */

/* The first shape of three dimensions or more behind a call, which may be its output. */
static struct str shape_behind(
	const struct profile_use *uses, const struct profile_turn *turns, size_t count, size_t at)
{
	for (size_t i = at + 1; i < count && i < at + FOLLOWERS; i++) {
		struct str first = turns[i].depth > turns[at].depth || turns[i].use == NO_USE
					   ? STR("")
					   : cost_first_tensor(uses[turns[i].use].shapes);
		size_t commas = 0;

		for (size_t k = 0; k < first.len; k++)
			commas += first.ptr[k] == ',';
		if (commas >= 2)
			return first;
	}
	return STR("");
}

/* By use: shapes of the operator behind a convolution, where it was first found. */
static struct str *shapes_behind(struct arena *arena, const struct calls *calls)
{
	size_t use_count, streams, count;
	const struct profile_use *uses = profile_uses(calls->profile, &use_count);
	struct str *ret = arena_alloc(arena, (use_count + 1) * sizeof(ret[0]));

	profile_streams(calls->profile, &streams);
	for (size_t stream = 0; stream < streams; stream++) {
		const struct profile_turn *turns = profile_order(calls->profile, (uint32_t)stream, &count);

		for (size_t i = 0; i < count; i++) {
			uint32_t use = turns[i].use;

			if (use == NO_USE || calls->costs[use].class != WORK_CONV || ret[use].len)
				continue;
			ret[use] = shape_behind(uses, turns, count, i);
			if (ret[use].len)
				ret[use] = arena_printf(arena, "[%.*s]", STR_ARG(ret[use]));
		}
	}
	return ret;
}

/* --- parts */

static bool is_part(struct str base)
{
	return str_ends(base, STR("backward_input")) || str_ends(base, STR("backward_weight")) ||
	       str_ends(base, STR("backward_bias"));
}

struct part_walk {
	struct calls *calls;
	const struct profile_use *uses;
	double *kernels, *device_ns; /* by use, of the parts in the ordered step */
	uint64_t *turns;             /* by use */
};

static uint32_t enter_part(void *ctx, uint32_t use, uint32_t around)
{
	struct part_walk *walk = ctx;
	double calls = walk->uses[use].calls ? (double)walk->uses[use].calls : 1;

	walk->turns[use]++;
	if (walk->calls->part[use] && around != NO_USE) {
		walk->kernels[around] += walk->uses[use].kernels / calls;
		walk->device_ns[around] += (double)walk->uses[use].self_device_ns / calls;
	}
	return use;
}

static void add_parts(struct arena *arena, struct calls *calls, size_t use_count)
{
	struct part_walk walk = { .calls = calls,
		.uses = profile_uses(calls->profile, &use_count),
		.kernels = arena_alloc(arena, (use_count + 1) * sizeof(double)),
		.device_ns = arena_alloc(arena, (use_count + 1) * sizeof(double)),
		.turns = arena_alloc(arena, (use_count + 1) * sizeof(uint64_t)) };

	calls_walk(calls->profile, enter_part, &walk);
	for (size_t i = 0; i < use_count; i++) {
		double all = (double)walk.uses[i].calls;

		if (!walk.turns[i] || !(walk.kernels[i] > 0))
			continue;
		calls->kernels[i] += walk.kernels[i] / (double)walk.turns[i];
		calls->device_ns[i] = figure_add(
			calls->device_ns[i], (int64_t)(walk.device_ns[i] / (double)walk.turns[i] * all));
	}
}

/* --- all */

static void price_uses(struct arena *arena, struct calls *calls, unsigned assumed)
{
	CLEANUP(arena_clear) struct arena scratch = ARENA_INIT(ARENA_UNLIMITED);
	size_t use_count, name_count;
	const struct profile_use *uses = profile_uses(calls->profile, &use_count);
	const struct profile_name *names = profile_names(calls->profile, &name_count);
	struct str *behind = shapes_behind(arena, calls);

	for (size_t i = 0; i < use_count; i++) {
		struct call_cost *cost = &calls->costs[i];

		if (cost->class == WORK_NONE || !uses[i].calls)
			continue;
		*cost = call_cost_of(&scratch, &(struct cost_call){ .class = cost->class,
						       .base = names[uses[i].name].name.base,
						       .shapes = uses[i].shapes_cut ? STR("") : uses[i].shapes,
						       .dtypes = uses[i].dtypes,
						       .concrete = use_concrete(&uses[i]),
						       .next = behind[i],
						       .assumed = assumed });
	}
}

void calls_gather(struct arena *arena, const struct profile *profile, unsigned assumed, struct calls *ret)
{
	size_t use_count, name_count, streams, turns;
	const struct profile_use *uses = profile_uses(profile, &use_count);
	const struct profile_name *names = profile_names(profile, &name_count);
	enum work_class *classes = arena_alloc(arena, (name_count + 1) * sizeof(classes[0]));

	*ret = (struct calls){ .profile = profile,
		.costs = arena_alloc(arena, (use_count + 1) * sizeof(ret->costs[0])),
		.kernels = arena_alloc(arena, (use_count + 1) * sizeof(ret->kernels[0])),
		.device_ns = arena_alloc(arena, (use_count + 1) * sizeof(ret->device_ns[0])),
		.part = arena_alloc(arena, (use_count + 1) * sizeof(ret->part[0])) };
	for (size_t i = 0; i < name_count; i++) {
		const struct name *name = &names[i].name;

		if (name->name_class == NAME_OPERATOR)
			classes[i] = work_class_of(name->ns, name->base);
	}
	for (size_t i = 0; i < use_count; i++) {
		const struct name *name = &names[uses[i].name].name;

		if (name->name_class != NAME_OPERATOR)
			continue;
		ret->costs[i].class = classes[uses[i].name];
		ret->part[i] = is_part(name->base);
		ret->device_ns[i] = uses[i].self_device_ns;
		ret->kernels[i] = uses[i].calls ? uses[i].kernels / (double)uses[i].calls : 0;
		ret->counted |= uses[i].kernels > 0;
		ret->launched |= uses[i].self_device_ns > 0;
	}
	profile_streams(profile, &streams);
	for (size_t i = 0; i < streams; i++)
		ret->ordered |= profile_order(profile, (uint32_t)i, &turns) && turns;
	price_uses(arena, ret, assumed);
	if (ret->launched)
		add_parts(arena, ret, use_count);
}
