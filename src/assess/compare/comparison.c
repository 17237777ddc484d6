#include "assess/compare/comparison.h"

#include <stdlib.h>

#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "opdb/model/name_list.h"
#include "opdb/model/work_class.h"

/* Observations of one operator on the device. */
struct sight {
	struct str name;
	struct result_observed observed;
	const struct result_verdict *verdict; /* of the device's own check on the same target; NULL: none */
	uint64_t calls;
	int64_t self_device_ns;
};

struct comparing {
	const struct result *predicted, *seen;
	size_t target; /* of predicted */
	struct map predicted_names, sight_names;
	MEM_LIST(struct sight) sights;
	MEM_LIST(struct agree_item) list;
};

static const struct sight *find_sight(const struct comparing *all, struct str name)
{
	uint32_t at = MAP_FIND(&all->sight_names, all->sights.items, name);

	return at == MAP_NONE ? NULL : &all->sights.items[at];
}

/* --- what was seen */

static void add_sight(struct comparing *all, struct sight sight)
{
	map_add_name(&all->sight_names, sight.name, (uint32_t)all->sights.count);
	MEM_PUSH(&all->sights, sight);
}

/* Also operators that no table shows, but a message of the log: they stand in the agreement of the device's run alone.
   */
static void gather_sights(struct comparing *all)
{
	const struct agreement *own = all->seen->agreement_count ? &all->seen->agreements[0] : NULL;
	struct str id = all->predicted->targets[all->target].id;

	for (size_t i = 0; i < all->seen->operator_count; i++) {
		const struct result_operator *op = &all->seen->operators[i];

		add_sight(all,
			(struct sight){ op->name, op->observed, verdict_on(op, id), op->calls, op->self_device_ns });
	}
	for (size_t i = 0; own && i < own->entry_count; i++) {
		const struct agreement_entry *entry = &own->entries[i];

		if (!find_sight(all, entry->operator_name))
			add_sight(
				all, (struct sight){ .name = entry->operator_name,
					     .observed = { entry->observed, entry->evidence, entry->evidence_count } });
	}
}

static bool is_implied(const struct result *predicted, const struct sight *sight)
{
	return STR_IS_AMONG(predicted->implied, predicted->implied_count, sight->name) ||
	       name_is_listed(NAMES_DEVICE, sight->name);
}

/* --- items */

static void add_predicted(struct comparing *all)
{
	for (size_t i = 0; i < all->predicted->operator_count; i++) {
		const struct result_operator *op = &all->predicted->operators[i];
		const struct sight *sight = find_sight(all, op->name);

		MEM_PUSH(&all->list, ((struct agree_item){ .name = op->name,
					     .outcome = sight ? OUTCOME_COUNT : OUTCOME_NOT_SEEN,
					     .verdict = &op->verdicts[all->target],
					     .observed = sight ? &sight->observed : NULL,
					     .calls = sight ? sight->calls : op->calls,
					     .self_device_ns = sight ? sight->self_device_ns : 0 }));
	}
}

static void add_seen_alone(struct comparing *all)
{
	for (size_t i = 0; i < all->sights.count; i++) {
		const struct sight *sight = &all->sights.items[i];

		if (MAP_FIND(&all->predicted_names, all->predicted->operators, sight->name) != MAP_NONE)
			continue;
		MEM_PUSH(&all->list, ((struct agree_item){ .name = sight->name,
					     .outcome = OUTCOME_DEVICE_ONLY,
					     .verdict = sight->verdict,
					     .observed = &sight->observed,
					     .implied = is_implied(all->predicted, sight),
					     .calls = sight->calls,
					     .self_device_ns = sight->self_device_ns }));
	}
}

/* --- times */

static void add_time(
	struct comparison *ret, struct str name, struct time_range all_steps, uint64_t steps, int64_t measured_ns)
{
	int64_t count = steps ? (int64_t)steps : 1;
	struct time_range step = { all_steps.lo_ns / count, all_steps.middle_ns / count, all_steps.hi_ns / count };

	if (measured_ns <= 0 && step.middle_ns <= 0)
		return;
	ret->times[ret->time_count++] = (struct compared_time){ name, step, measured_ns,
		measured_ns > 0 ? (int64_t)((__int128)step.middle_ns * 1000 / measured_ns) : 0,
		step.lo_ns <= measured_ns && measured_ns <= step.hi_ns };
}

/* Time of the operators of each class on the device, of one step; at WORK_COUNT: of all. */
static void measure(const struct result *seen, int64_t ret[WORK_COUNT + 1])
{
	for (size_t i = 0; i < seen->operator_count; i++) {
		struct str base = seen->operators[i].name, ns;
		int64_t *to;

		str_cut(&base, ':', &ns);
		to = &ret[work_of(ns, str_skip(base, base.len > 0)).class];
		*to = figure_add(*to, seen->operators[i].self_device_ns);
		ret[WORK_COUNT] = figure_add(ret[WORK_COUNT], seen->operators[i].self_device_ns);
	}
	for (unsigned work = 0; work <= WORK_COUNT; work++)
		ret[work] /= (int64_t)(seen->cost.steps ? seen->cost.steps : 1);
}

static void compare_times(const struct comparing *all, struct comparison *ret)
{
	const struct result_estimate *estimate = all->predicted->targets[all->target].estimate;
	int64_t measured_ns[WORK_COUNT + 1] = { 0 };

	measure(all->seen, measured_ns);
	if (!estimate || estimate->refused.id || measured_ns[WORK_COUNT] <= 0)
		return;
	ret->times = arena_alloc(&ret->arena, (WORK_COUNT + 1) * sizeof(ret->times[0]));
	add_time(ret, STR("all"), estimate->time, estimate->steps, measured_ns[WORK_COUNT]);
	for (unsigned work = WORK_MATMUL; work < WORK_COUNT; work++) {
		struct str name = word_for(&work_words, work);
		size_t at = STR_POSITION(estimate->classes, estimate->class_count, name);

		add_time(ret, name, at == STR_NONE ? (struct time_range){ 0 } : estimate->classes[at].time,
			estimate->steps, measured_ns[work]);
	}
}

static bool is_made_on(const struct result *seen, struct str target)
{
	size_t at = STR_POSITION(seen->agreements, seen->agreement_count, target);

	return at != STR_NONE && seen->agreements[at].made_on;
}

void comparison_make(const struct result *predicted, size_t target, const struct result *seen, struct comparison *ret)
{
	struct comparing all = { predicted, seen, target };
	struct str id = predicted->targets[target].id;

	*ret = (struct comparison){ .arena = ARENA_INIT(ARENA_UNLIMITED), .predicted = predicted, .seen = seen };
	for (size_t i = 0; i < predicted->operator_count; i++)
		map_add_name(&all.predicted_names, predicted->operators[i].name, (uint32_t)i);
	compare_times(&all, ret);
	gather_sights(&all);
	add_predicted(&all);
	add_seen_alone(&all);
	ret->agreement = (struct agreement){ .target = id, .made_on = is_made_on(seen, id) };
	agree(&ret->arena, all.list.items, all.list.count, &ret->agreement);
	map_clear(&all.predicted_names);
	map_clear(&all.sight_names);
	free(all.sights.items);
	free(all.list.items);
}

void comparison_clear(struct comparison *comparison)
{
	arena_clear(&comparison->arena);
}
