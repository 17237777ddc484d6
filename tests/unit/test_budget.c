/* Budgets: what is measured on a target, and that the worse end of it counts. */
#include "assess/gate/budget.h"
#include "tests/unit/check.h"

/* 10 % falls back for certain, 5 % may be blocked, 3 % of it unknown; 80 % run on the device for certain. */
static struct result_count counts[] = { { OP_NATIVE, 4, 850000 }, { OP_CPU_FALLBACK, 1, 100000 },
	{ OP_UNSUPPORTED, 1, 20000 }, { OP_UNKNOWN, 1, 30000 } };
static struct result_operator operators[] = { { .share_ppm = 400000, .dynamic.kind = DYNAMIC_STATIC },
	{ .share_ppm = 250000, .dynamic.kind = DYNAMIC_UNBOUNDED },
	{ .share_ppm = 50000, .dynamic.kind = DYNAMIC_UNKNOWN } };
static const struct result_target target = { .counts = counts,
	.count_count = 4,
	.readiness.time = { 800000, 880000 },
	.coverage.time = { 930000, 980000 },
	.where.aicpu = { 10000, 30000 } };
static const struct result result = { .operators = operators, .operator_count = 3 };

static size_t kind_of(const char *name)
{
	for (size_t i = 0; i < BUDGET_KINDS; i++) {
		if (strcmp(budget_kinds[i].name, name) == 0)
			return i;
	}
	fail_msg("no budget %s", name);
	return 0;
}

static void the_worse_end_of_what_is_measured_counts(void **state)
{
	static const struct {
		const char *name, *limit;
		int64_t lo_ppm, hi_ppm;
		bool failed;
	} cases[] = {
		{ "max-blocked-time", "7%", 20000, 70000, false },
		{ "max-blocked-time", "6.9999%", 20000, 70000, true },
		{ "max-fallback-time", "18%", 100000, 180000, false },
		{ "max-fallback-time", "17.9 %", 100000, 180000, true },
		{ "max-unknown-time", "3%", 30000, 30000, false },
		{ "max-unknown-time", "2%", 30000, 30000, true },
		{ "max-aicpu-time", "3%", 10000, 30000, false },
		{ "max-aicpu-time", "2.9%", 10000, 30000, true },
		{ "max-dynamic-time", "30%", 250000, 300000, false },
		{ "max-dynamic-time", "29%", 250000, 300000, true },
		{ "min-readiness", "80%", 800000, 880000, false },
		{ "min-readiness", "80.0001%", 800000, 880000, true },
		{ "min-coverage", "93%", 930000, 980000, false },
		{ "min-coverage", "100%", 930000, 980000, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct budgets budgets = { 0 };
		size_t kind = kind_of(cases[i].name);
		struct result_check check;
		struct err err = { 0 };

		assert_int_equal(budget_parse(&budgets, kind, str_from(cases[i].limit), &err), 0);
		assert_true(budgets.given[kind]);
		check = budget_check(&budgets, kind, &result, &target);
		assert_true(check.is_budget);
		assert_str(check.name, cases[i].name);
		assert_int_equal(check.lo_ppm, cases[i].lo_ppm);
		assert_int_equal(check.hi_ppm, cases[i].hi_ppm);
		if (check.failed != cases[i].failed)
			fail_msg("%s %s", cases[i].name, cases[i].limit);
	}
}

static void a_status_that_no_operator_has_takes_no_time(void **state)
{
	const struct result_target native = { .counts = counts, .count_count = 1 };
	struct budgets budgets = { 0 };
	size_t kind = kind_of("max-unknown-time");
	struct err err = { 0 };

	assert_int_equal(budget_parse(&budgets, kind, STR("0%"), &err), 0);
	assert_false(budget_check(&budgets, kind, &result, &native).failed);
}

static void a_limit_is_a_share_in_percent(void **state)
{
	static const char *const cases[] = { "", "%", "2", "0.02", "-1%", "100.0001%", "2%%", "two%", "1e2%",
		"\x1b[2J%" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct budgets budgets = { 0 };
		struct err err = { 0 };

		assert_int_equal(budget_parse(&budgets, 0, str_from(cases[i]), &err), -ERR_VALUE);
		assert_false(budgets.given[0]);
		assert_null(strchr(err.text, '\x1b'));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worse_end_of_what_is_measured_counts),
		cmocka_unit_test(a_status_that_no_operator_has_takes_no_time),
		cmocka_unit_test(a_limit_is_a_share_in_percent),
	};

	return run_group(tests);
}
