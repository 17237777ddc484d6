#include "assess/gate/budget.h"

#include "assess/shape/dynamic.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"

enum { PERCENT_PPM = 10000 };

static int64_t time_of(const struct result_target *target, enum op_status status)
{
	for (size_t i = 0; i < target->count_count; i++) {
		if (target->counts[i].status == status)
			return target->counts[i].time_ppm;
	}
	return 0;
}

static int64_t at_most_whole(int64_t ppm)
{
	return ppm < WHOLE_PPM ? ppm : WHOLE_PPM;
}

/* --- what is measured */

static struct result_interval blocked(const struct result *result UNUSED, const struct result_target *target)
{
	return (struct result_interval){ WHOLE_PPM - target->coverage.time.hi_ppm,
		WHOLE_PPM - target->coverage.time.lo_ppm };
}

/* At worst, whatever runs but is not certain to run on the device. */
static struct result_interval fallback(const struct result *result UNUSED, const struct result_target *target)
{
	int64_t certain = time_of(target, OP_CPU_FALLBACK);
	int64_t possible = target->coverage.time.hi_ppm - target->readiness.time.lo_ppm;

	return (struct result_interval){ certain, possible > certain ? possible : certain };
}

static struct result_interval unknown(const struct result *result UNUSED, const struct result_target *target)
{
	int64_t time = time_of(target, OP_UNKNOWN);

	return (struct result_interval){ time, time };
}

/* At worst, operators whose shapes the dump does not tell change, too. */
static struct result_interval dynamic(const struct result *result, const struct result_target *target UNUSED)
{
	struct result_interval sum = { 0, 0 };

	for (size_t i = 0; i < result->operator_count; i++) {
		const struct result_operator *op = &result->operators[i];

		if (dynamic_is_changing(op->dynamic.kind))
			sum.lo_ppm += op->share_ppm;
		else if (op->dynamic.kind == DYNAMIC_UNKNOWN)
			sum.hi_ppm += op->share_ppm;
	}
	sum.lo_ppm = at_most_whole(sum.lo_ppm); /* each share is rounded */
	sum.hi_ppm = at_most_whole(sum.lo_ppm + sum.hi_ppm);
	return sum;
}

#define MEMBER(member) NULL, offsetof(struct result_target, member)

const struct budget_kind budget_kinds[BUDGET_KINDS] = {
	{ "max-blocked-time", "time of operators that do not run", false, blocked },
	{ "max-fallback-time", "time of operators that run on the CPU", false, fallback },
	{ "max-unknown-time", "time of operators that are unknown", false, unknown },
	{ "max-dynamic-time", "time of operators whose shapes change", false, dynamic },
	{ "min-readiness", "time that runs on the device", true, MEMBER(readiness.time) },
	{ "min-coverage", "time that runs, on the device or the CPU", true, MEMBER(coverage.time) },
	{ "max-aicpu-time", "time of operators that run on the AI CPU", false, MEMBER(where.aicpu) },
};

/* --- limits */

int percent_parse(struct str text, int64_t *ret_ppm, const char *name, const char *example, struct err *err)
{
	bool marked = str_ends(text, STR("%"));
	int64_t ppm;

	if (marked && decimal_scaled(str_trim(str_chop(text, 1)), PERCENT_PPM, &ppm) && ppm >= 0 && ppm <= WHOLE_PPM) {
		*ret_ppm = ppm;
		return 0;
	}
	err_set(err, ERR_VALUE, "%s takes a share from 0%% to 100%%, not '%s'", name, shown(text).text);
	return err_hint(err, "for example %s", example);
}

int budget_parse(struct budgets *budgets, size_t kind, struct str percent, struct err *err)
{
	const struct budget_kind *budget = &budget_kinds[kind];
	int status = percent_parse(
		percent, &budgets->limit_ppm[kind], budget->name, budget->at_least ? "95%" : "2%", err);

	budgets->given[kind] = budgets->given[kind] || !status;
	return status;
}

struct result_check budget_check(
	const struct budgets *budgets, size_t kind, const struct result *result, const struct result_target *target)
{
	const struct budget_kind *budget = &budget_kinds[kind];
	const void *member = (const char *)target + budget->at;
	struct result_interval measured = budget->measure ? budget->measure(result, target)
							  : *(const struct result_interval *)member;
	int64_t limit = budgets->limit_ppm[kind];

	return (struct result_check){ .name = str_from(budget->name),
		.is_budget = true,
		.limit_ppm = limit,
		.lo_ppm = measured.lo_ppm,
		.hi_ppm = measured.hi_ppm,
		.failed = budget->at_least ? measured.lo_ppm < limit : measured.hi_ppm > limit };
}
