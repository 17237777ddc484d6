#pragma once
/* The work of a plan: how often each piece of it occurs, and the days that it takes. */
#include "scan/plan/plan.h"

struct plan_work {
	uint64_t counts[WORK_COUNT];
	struct effort_days total;
};

struct plan_work plan_count_work(const struct plan *plan);

/* Places that are left to a person, by action. */
uint64_t plan_count_left(const struct plan *plan, enum source_action action);

/* Returns whether a finding is the first about a package: one that the scripts import, or that operators need. */
bool plan_is_package(const struct result *result, size_t finding);
