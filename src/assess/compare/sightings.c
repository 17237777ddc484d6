#include "assess/compare/sightings.h"

#include "assess/model/origin.h"
#include "base/figure.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

/* A sum of sightings under way. */
struct gathering {
	struct arena *arena;
	const struct profile *profile;
	const struct operators *operators;
	struct sightings *ret;
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

	for (size_t i = 0; i < use_count; i++) {
		enum name_class name_class = names[uses[i].name].name.name_class;

		if ((name_class == NAME_KERNEL || name_class == NAME_MEMORY) && uses[i].self_device_ns > 0)
			return true;
	}
	return false;
}

static bool times_prove(const struct profile *profile, const struct assess_input *inputs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (str_eq(str_from(inputs[i].dump.format), STR("table")))
			return lists_kernels(profile);
	}
	return true;
}

/* --- which operator */

static struct sighting *sighting_of(const struct gathering *all, struct str name)
{
	struct map_cursor at = map_start(&all->by_name, hash_str(all->seed, name));

	while (map_next(&all->by_name, &at)) {
		if (str_eq(all->operators->items[at.index].name, name))
			return &all->ret->items[at.index];
	}
	return NULL;
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

/* The one operator that a call is named after, or NULL; an in-place one may be launched by the call of the other. */
static struct sighting *launched_by(const struct gathering *all, struct str launch)
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

static void index_operators(struct gathering *all)
{
	CLEANUP(buf_clear) struct buf key = BUF_UNLIMITED;

	for (size_t i = 0; i < all->operators->count; i++) {
		const struct op *op = &all->operators->items[i];

		map_add(&all->by_name, hash_str(all->seed, op->name), (uint32_t)i);
		map_add(&all->by_launch, hash_str(all->seed, launch_key(&key, op->base, false)), (uint32_t)i);
		if (is_in_place(op->base))
			map_add(&all->by_launch, hash_str(all->seed, launch_key(&key, op->base, true)), (uint32_t)i);
	}
}

/* --- what was told of operators and kernels */

static struct sighting *name_of_message(struct gathering *all, struct str name)
{
	struct sightings *ret = all->ret;

	if (ret->name_count && str_eq(ret->names[ret->name_count - 1].name, name))
		return &ret->names[ret->name_count - 1].sighting;
	ret->names[ret->name_count] = (struct sighted_name){ .name = name };
	return &ret->names[ret->name_count++].sighting;
}

static void add_tasks(struct sighting *sighting, const struct op_observation *seen)
{
	sighting->tasks = figure_count(sighting->tasks, seen->calls);
	sighting->tasks_ns = figure_add(sighting->tasks_ns, seen->device_ns);
	if (seen->where != OBSERVED_ON_AICPU)
		return;
	sighting->aicpu_tasks = figure_count(sighting->aicpu_tasks, seen->calls);
	sighting->aicpu_ns = figure_add(sighting->aicpu_ns, seen->device_ns);
}

static void take_kernel(struct gathering *all, const struct op_observation *seen)
{
	struct sightings *ret = all->ret;
	struct sighting *sighting = seen->launch.len ? launched_by(all, seen->launch) : NULL;
	struct sighted_kernel *last = ret->kernel_count ? &ret->kernels[ret->kernel_count - 1] : NULL;

	ret->device_ns = figure_add(ret->device_ns, seen->device_ns);
	if (sighting) {
		add_tasks(sighting, seen);
		sighting->launch = seen->launch;
	} else if (seen->where == OBSERVED_ON_AICPU && last && str_eq(last->type, seen->name)) {
		last->tasks = figure_count(last->tasks, seen->calls);
		last->device_ns = figure_add(last->device_ns, seen->device_ns);
	} else if (seen->where == OBSERVED_ON_AICPU) {
		ret->kernels[ret->kernel_count++] = (struct sighted_kernel){ seen->name, seen->calls, seen->device_ns };
	}
}

static void take_operator(struct gathering *all, const struct op_observation *seen)
{
	struct sighting *sighting = sighting_of(all, seen->name);

	if (seen->where == OBSERVED_ON_HOST || seen->where == OBSERVED_RAISED) {
		sighting = sighting ? sighting : name_of_message(all, seen->name);
		*(seen->where == OBSERVED_ON_HOST ? &sighting->warnings : &sighting->exceptions) = seen->calls;
	} else if (sighting) {
		add_tasks(sighting, seen);
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
		struct sighting *sighting = str_eq(links[i].name, STR("aten::_to_cpu"))
						    ? sighting_of(all, links[i].other)
						    : NULL;

		if (sighting)
			sighting->copies = figure_count(sighting->copies, links[i].calls);
	}
}

/* --- what follows */

static void count_calls(struct gathering *all, const struct op *op, struct sighting *sighting)
{
	size_t count;
	const struct profile_use *uses = profile_uses(all->profile, &count);

	/* few of them have a second stream, and few operators many shapes */
	for (size_t i = 0; i < op->use_count; i++) {
		uint64_t calls = 0;

		for (size_t j = i; j < op->use_count && sighting->most_calls < 2; j++) {
			if (uses[op->uses[j]].stream == uses[op->uses[i]].stream)
				calls = figure_count(calls, uses[op->uses[j]].calls);
		}
		if (calls > sighting->most_calls)
			sighting->most_calls = calls;
	}
}

static enum sighted judge(const struct sighting *sighting, int64_t self_device_ns)
{
	if (sighting->exceptions)
		return SIGHTED_RAISED;
	if (sighting->warnings || sighting->copies)
		return SIGHTED_HOST;
	if (sighting->aicpu_tasks)
		return SIGHTED_AICPU;
	if (sighting->tasks || (self_device_ns > 0 && !sighting->event_times))
		return SIGHTED_DEVICE;
	return sighting->most_calls > 1 ? SIGHTED_RAN : SIGHTED_CALLED;
}

static void judge_all(struct gathering *all, bool times_prove)
{
	int64_t device_ns = 0;

	for (size_t i = 0; i < all->operators->count; i++) {
		const struct op *op = &all->operators->items[i];
		struct sighting *sighting = &all->ret->items[i];

		sighting->event_times = !times_prove && op->self_device_ns > 0;
		count_calls(all, op, sighting);
		sighting->where = judge(sighting, op->self_device_ns);
		device_ns = figure_add(device_ns, op->self_device_ns > 0 ? op->self_device_ns : 0);
	}
	for (size_t i = 0; i < all->ret->name_count; i++)
		all->ret->names[i].sighting.where = judge(&all->ret->names[i].sighting, 0);
	if (!all->ret->device_ns)
		all->ret->device_ns = device_ns;
}

void sightings_gather(struct arena *arena, const struct profile *profile, const struct operators *operators,
	const struct assess_input *inputs, size_t input_count, struct sightings *ret)
{
	struct gathering all = { arena, profile, operators, ret, .seed = hash_seed() };

	*ret = (struct sightings){ .device = origin_of_all(inputs, input_count) };
	if (ret->device == DEVICE_UNKNOWN)
		return;
	ret->items = arena_alloc(arena, (operators->count + 1) * sizeof(ret->items[0]));
	index_operators(&all);
	take_seen(&all);
	take_copies(&all);
	judge_all(&all, times_prove(profile, inputs, input_count));
	map_clear(&all.by_name);
	map_clear(&all.by_launch);
}
