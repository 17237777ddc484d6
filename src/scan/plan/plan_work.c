#include "scan/plan/plan_work.h"

#include "report/sections/capture.h"

enum { SLOW_PPM = 10000 }; /* of the time, that an operator on a CPU needs to be worth work */

uint64_t plan_count_left(const struct plan *plan, enum source_action action)
{
	return SUM(i, plan->port.left.count, plan->port.left.items[i].action == action);
}

bool plan_is_package(const struct result *result, size_t finding)
{
	const struct result_finding *found = &result->findings[finding];

	if (strcmp(found->what.id, "src-package") != 0 && strcmp(found->what.id, "op-needs-package") != 0)
		return false;
	return ALL(i, finding,
		strcmp(result->findings[i].what.id, found->what.id) != 0 ||
			!str_eq(result->findings[i].operator_name, found->operator_name));
}

static bool is_fixed(const struct result_target *target, struct str name)
{
	for (size_t i = 0; i < target->fix_count; i++) {
		if (ANY(j, target->fixes[i].operator_count, str_eq(target->fixes[i].operators[j], name)))
			return true;
		if (str_eq(target->fixes[i].what, name))
			return true;
	}
	return false;
}

/* Operators with a part of the time that run on the CPU of the host or on the AI CPU, and that no fix is about. */
static uint64_t count_slow(const struct result *result)
{
	uint64_t count = 0;

	for (size_t i = 0; i < result->operator_count; i++) {
		const struct result_operator *op = &result->operators[i];

		if (op->verdict_count && op->share_ppm >= SLOW_PPM && !is_fixed(&result->targets[0], op->name))
			count += op_status_class(op->verdicts[0].status) == CLASS_CPU ||
				 op->verdicts[0].aicpu.lo_ppm > 0;
	}
	return count;
}

static enum effort_item item_of_fix(const struct result_fix *fix)
{
	static const enum effort_item items[EFFORT_COUNT] = {
		[EFFORT_FLAG] = WORK_FLAG,
		[EFFORT_CONFIG] = WORK_CONFIG,
		[EFFORT_RECIPE] = WORK_RECIPE,
		[EFFORT_PACKAGE] = WORK_PACKAGE,
		[EFFORT_UPGRADE] = WORK_UPGRADE,
		[EFFORT_AVOID] = WORK_AVOID,
		[EFFORT_PORT] = WORK_PORT,
	};

	return fix->kind == FIX_SETTLE ? WORK_TEST : items[fix->effort];
}

struct plan_work plan_count_work(const struct plan *plan)
{
	const struct result_target *target = &plan->result->targets[0];
	struct plan_work work = { 0 };

	work.counts[WORK_ENVIRONMENT] = work.counts[WORK_ACCURACY] = work.counts[WORK_THROUGHPUT] = 1;
	work.counts[WORK_PROFILE] = has_weakness(plan->result);
	work.counts[WORK_CARDS] = work.counts[WORK_NODES] = plan->is_distributed;
	work.counts[WORK_SLOW] = count_slow(plan->result);
	if (plan->has_scripts) {
		work.counts[WORK_EDITS] = plan->patch.edits;
		work.counts[WORK_HAND] = plan_count_left(plan, SOURCE_MUST_CHANGE);
		work.counts[WORK_DECISIONS] = plan_count_left(plan, SOURCE_CHECK);
		work.counts[WORK_PACKAGES] = SUM(i, plan->result->finding_count,
			plan_is_package(plan->result, i) &&
				strcmp(plan->result->findings[i].what.id, "src-package") == 0);
	}
	for (size_t i = 0; i < target->fix_count; i++)
		work.counts[item_of_fix(&target->fixes[i])]++;
	for (size_t i = 0; i < WORK_COUNT; i++) {
		struct effort_days days = effort_days_of(&plan->request->efforts.works[i], work.counts[i]);

		work.total.low += days.low;
		work.total.high += days.high;
	}
	return work;
}
