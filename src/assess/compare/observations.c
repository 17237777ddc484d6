#include "assess/compare/observations.h"

#include "assess/model/origin.h"
#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "base/view/ascii.h"
#include "op/profile_links.h"
#include "opdb/db/names.h"

/* Observations while they are added up. */
struct gathering {
	struct arena *arena;
	const struct profile *profile;
	const struct operators *operators;
	struct resolver *resolver; /* or NULL */
	struct observations *ret;
	struct map by_name;   /* operators */
	struct map by_launch; /* operators by what their launch is called: see launch_key */
	uint64_t seed;
};

/* --- whether device times are those of kernels */

/* A profiler that lists kernels takes the time of operators from them. */
static bool lists_kernels(const struct profile *profile)
{
	size_t use_count, name_count;
	const struct profile_use *uses = profile_uses(profile, &use_count);
	const struct profile_name *names = profile_names(profile, &name_count);

	return ANY(i, use_count,
		uses[i].self_device_ns > 0 && (names[uses[i].name].name.name_class == NAME_KERNEL ||
						      names[uses[i].name].name.name_class == NAME_MEMORY));
}

static bool times_prove(const struct profile *profile, const struct assess_input *inputs, size_t count)
{
	return !ANY(i, count, str_eq(str_from(inputs[i].dump.format), STR("table"))) || lists_kernels(profile);
}

static struct observation *observation_of(const struct gathering *all, struct str name)
{
	uint32_t at = MAP_FIND(&all->by_name, all->operators->items, name);

	return at == MAP_NONE ? NULL : &all->ret->items[at];
}

/* "indexputimpl" of "_index_put_impl_", "inplaceadd" of "add_": calls of aclnn are named after the operators of PyTorch
   ("aclnnIndexPutImpl", "aclnnInplaceAdd"). */
static struct str launch_key(struct buf *buf, struct str base, bool in_place)
{
	buf_reset(buf);
	buf_add(buf, in_place ? STR("inplace") : STR(""));
	for (size_t i = 0; i < base.len; i++) {
		if (base.ptr[i] != '_')
			buf_byte(buf, (char)(base.ptr[i] | (is_alpha(base.ptr[i]) ? 0x20 : 0)));
	}
	return buf_str(buf);
}

static bool is_in_place(struct str base)
{
	return str_ends(base, STR("_")) && !str_ends(base, STR("__"));
}

/* The one recorded operator for which the plugin makes the call, or NULL. */
static struct observation *caller_of(const struct gathering *all, struct str call)
{
	struct name_list bases = { 0 };
	struct observation *found = NULL;
	size_t count = 0;

	if (!all->resolver ||
		opdb_names_of_call(resolver_db(all->resolver), call, all->arena, &bases, &all->ret->failure))
		return NULL;
	for (size_t i = 0; i < all->operators->count; i++) {
		for (size_t k = 0; k < bases.count; k++) {
			if (!str_eq(bases.items[k], all->operators->items[i].base))
				continue;
			found = &all->ret->items[i];
			count++;
		}
	}
	return count == 1 ? found : NULL;
}

/* The one operator that a call is named after, or NULL; an in-place one may be launched by the call of the other. */
static struct observation *named_after(const struct gathering *all, struct str launch)
{
	CLEANUP(buf_clear) struct buf wanted = BUF_UNLIMITED, key = BUF_UNLIMITED;
	struct map_cursor at;
	size_t found[2] = { 0 }, count[2] = { 0 };

	launch_key(&wanted, str_skip(launch, sizeof("aclnn") - 1), false);
	at = map_start(&all->by_launch, hash_str(all->seed, buf_str(&wanted)));
	while (map_next(&all->by_launch, &at)) {
		struct str base = all->operators->items[at.index].base;

		for (unsigned lax = 0; lax < (is_in_place(base) ? 2u : 1u); lax++) {
			if (!str_eq(launch_key(&key, base, is_in_place(base) && !lax), buf_str(&wanted)))
				continue;
			found[lax] = at.index;
			count[lax]++;
		}
	}
	for (unsigned lax = 0; lax < 2; lax++) {
		if (count[lax])
			return count[lax] == 1 ? &all->ret->items[found[lax]] : NULL;
	}
	return NULL;
}

static struct observation *launched_by(const struct gathering *all, struct str launch)
{
	struct observation *found = named_after(all, launch);

	return found ? found : caller_of(all, launch);
}

static void index_operators(struct gathering *all)
{
	CLEANUP(buf_clear) struct buf key = BUF_UNLIMITED;

	for (size_t i = 0; i < all->operators->count; i++) {
		const struct op *op = &all->operators->items[i];

		map_add_name(&all->by_name, op->name, (uint32_t)i);
		map_add(&all->by_launch, hash_str(all->seed, launch_key(&key, op->base, false)), (uint32_t)i);
		if (is_in_place(op->base))
			map_add(&all->by_launch, hash_str(all->seed, launch_key(&key, op->base, true)), (uint32_t)i);
	}
}

/* --- what the profile shows of operators and kernels */

static struct observation *name_of_message(struct gathering *all, struct str name)
{
	struct observations *ret = all->ret;

	if (ret->name_count && str_eq(ret->names[ret->name_count - 1].name, name))
		return &ret->names[ret->name_count - 1].observation;
	ret->names[ret->name_count] = (struct named_observation){ .name = name };
	return &ret->names[ret->name_count++].observation;
}

static void add_tasks(struct observation *observation, const struct op_observation *seen)
{
	observation->tasks = figure_count(observation->tasks, seen->calls);
	observation->tasks_ns = figure_add(observation->tasks_ns, seen->device_ns);
	if (seen->where != OBSERVED_ON_AICPU)
		return;
	observation->aicpu_tasks = figure_count(observation->aicpu_tasks, seen->calls);
	observation->aicpu_ns = figure_add(observation->aicpu_ns, seen->device_ns);
}

static void take_kernel(struct gathering *all, const struct op_observation *seen)
{
	struct observations *ret = all->ret;
	struct observation *observation = seen->launch.len ? launched_by(all, seen->launch) : NULL;
	struct observed_kernel *last = ret->kernel_count ? &ret->kernels[ret->kernel_count - 1] : NULL;

	ret->device_ns = figure_add(ret->device_ns, seen->device_ns);
	if (observation) {
		add_tasks(observation, seen);
		observation->launch = seen->launch;
	} else if (seen->where == OBSERVED_ON_AICPU && last && str_eq(last->type, seen->name)) {
		last->tasks = figure_count(last->tasks, seen->calls);
		last->device_ns = figure_add(last->device_ns, seen->device_ns);
	} else if (seen->where == OBSERVED_ON_AICPU) {
		ret->kernels[ret->kernel_count++] = (struct observed_kernel){ seen->name, seen->calls,
			seen->device_ns };
	}
}

static void take_operator(struct gathering *all, const struct op_observation *seen)
{
	struct observation *observation = observation_of(all, seen->name);

	if (seen->where == OBSERVED_ON_HOST || seen->where == OBSERVED_RAISED) {
		observation = observation ? observation : name_of_message(all, seen->name);
		*(seen->where == OBSERVED_ON_HOST ? &observation->warnings : &observation->exceptions) = seen->calls;
	} else {
		all->ret->device_ns = figure_add(all->ret->device_ns, seen->device_ns);
		if (observation)
			add_tasks(observation, seen);
	}
}

/* Sorted: kernels of one type, and messages about one operator, stand together. */
static void take_seen(struct gathering *all)
{
	size_t count;
	const struct op_observation *seen = profile_observations(all->profile, &count);

	all->ret->names = arena_alloc(all->arena, (count + 1) * sizeof(all->ret->names[0]));
	all->ret->kernels = arena_alloc(all->arena, (count + 1) * sizeof(all->ret->kernels[0]));
	for (size_t i = 0; i < count; i++)
		(seen[i].kernel ? take_kernel : take_operator)(all, &seen[i]);
}

/* PyTorch's fallback copies all inputs to the CPU at once, which nothing else calls: at::native::cpu_fallback in
   aten/src/ATen/native/CPUFallback.cpp of https://github.com/pytorch/pytorch (1.10 to 2.x). */
static void take_copies(struct gathering *all)
{
	size_t count;
	const struct op_link *links = profile_links(all->profile, RELATION_PARENT, &count);

	for (size_t i = 0; i < count; i++) {
		struct observation *observation = str_eq(links[i].name, STR("aten::_to_cpu"))
							  ? observation_of(all, links[i].other)
							  : NULL;

		if (observation)
			observation->copies = figure_count(observation->copies, links[i].calls);
	}
}

/* --- what follows */

static void count_calls(struct gathering *all, const struct op *op, struct observation *observation)
{
	size_t count;
	const struct profile_use *uses = profile_uses(all->profile, &count);

	/* few of them have a second stream, and few operators many shapes */
	for (size_t i = 0; i < op->use_count; i++) {
		uint64_t calls = 0;

		for (size_t j = i; j < op->use_count && observation->most_calls < 2; j++) {
			if (uses[op->uses[j]].stream == uses[op->uses[i]].stream)
				calls = figure_count(calls, uses[op->uses[j]].calls);
		}
		if (calls > observation->most_calls)
			observation->most_calls = calls;
	}
}

static enum where judge_observation(const struct observation *observation, int64_t self_device_ns)
{
	if (observation->exceptions)
		return WHERE_RAISED;
	if (observation->warnings || observation->copies)
		return WHERE_HOST;
	if (observation->aicpu_tasks)
		return WHERE_AICPU;
	if (observation->tasks || (self_device_ns > 0 && !observation->event_times))
		return WHERE_DEVICE;
	return observation->most_calls > 1 ? WHERE_RAN : WHERE_CALLED;
}

static void judge_all(struct gathering *all, bool times_prove)
{
	int64_t device_ns = 0;

	for (size_t i = 0; i < all->operators->count; i++) {
		const struct op *op = &all->operators->items[i];
		struct observation *observation = &all->ret->items[i];

		observation->event_times = !times_prove && op->self_device_ns > 0;
		count_calls(all, op, observation);
		observation->where = judge_observation(observation, op->self_device_ns);
		device_ns = figure_add(device_ns, op->self_device_ns > 0 ? op->self_device_ns : 0);
	}
	for (size_t i = 0; i < all->ret->name_count; i++)
		all->ret->names[i].observation.where = judge_observation(&all->ret->names[i].observation, 0);
	if (all->ret->device_ns < device_ns)
		all->ret->device_ns = device_ns;
}

void observations_gather(struct arena *arena, const struct judge *judge, const struct assess_input *inputs,
	size_t input_count, struct observations *ret)
{
	const struct operators *operators = judge->operators;
	struct gathering all = { arena, judge->profile, operators, judge->resolver, ret, .seed = hash_seed() };

	*ret = (struct observations){ .device = origin_of_all(inputs, input_count) };
	if (ret->device == DEVICE_UNKNOWN)
		return;
	ret->items = arena_alloc(arena, (operators->count + 1) * sizeof(ret->items[0]));
	index_operators(&all);
	take_seen(&all);
	take_copies(&all);
	judge_all(&all, times_prove(judge->profile, inputs, input_count));
	map_clear(&all.by_name);
	map_clear(&all.by_launch);
}
