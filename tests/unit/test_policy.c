/* Policies: what they make of findings and of the gate, over a small result made here. */
#include "assess/model/words.h"
#include "assess/gate/policy.h"
#include "tests/unit/check.h"

enum { OPERATORS = 3, FINDINGS = 4 };

/* aten::a is unsupported on both targets, aten::b falls back on the first with changing shapes, aten::c is composite;
   aten::i was not recorded and falls back on the first. */
static struct result *small_result(void)
{
	static const struct {
		const char *name, *statuses[2], *kind;
	} rows[OPERATORS] = {
		{ "aten::a", { "unsupported", "unsupported" }, "static" },
		{ "aten::b", { "cpu-fallback", "native" }, "unbounded" },
		{ "aten::c", { "composite", "composite" }, "static" },
	};
	static const struct {
		const char *rule, *name, *target, *fingerprint, *fact;
	} found[FINDINGS] = {
		{ "op-unsupported", "aten::a", "npu@1", "a1", "f1" },
		{ "op-unsupported", "aten::a", "musa@1", "a2", "f2" },
		{ "op-cpu-fallback", "aten::b", "npu@1", "b1", "f3" },
		{ "shape-varying", "aten::b", "", "b0", "" },
	};
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct result *result = arena_alloc(&arena, sizeof(*result));

	result->arena = arena;
	result->operators = arena_alloc(&result->arena, OPERATORS * sizeof(result->operators[0]));
	for (size_t i = 0; i < OPERATORS; i++) {
		struct result_operator *op = &result->operators[result->operator_count++];

		*op = (struct result_operator){ .name = str_from(rows[i].name),
			.dynamic.kind = enum_of(&dynamic_words, rows[i].kind) };
		op->verdicts = arena_alloc(&result->arena, 2 * sizeof(op->verdicts[0]));
		for (size_t j = 0; j < 2; j++)
			op->verdicts[op->verdict_count++] = (struct result_verdict){ .target = str_from(
											     j ? "musa@1" : "npu@1"),
				.status = enum_of(&op_status_words, rows[i].statuses[j]) };
	}
	result->targets = arena_alloc(&result->arena, 2 * sizeof(result->targets[0]));
	result->targets[result->target_count++] = (struct result_target){ .id = STR("npu@1"), .gate = GATE_NONE };
	result->targets[result->target_count++] = (struct result_target){ .id = STR("musa@1"), .gate = GATE_NONE };
	result->implied = arena_alloc(&result->arena, sizeof(result->implied[0]));
	result->implied[result->implied_count++] = (struct result_implied){ .name = STR("aten::i") };
	result->implied->verdicts = arena_alloc(&result->arena, 2 * sizeof(struct result_verdict));
	result->implied->verdicts[result->implied->verdict_count++] = (struct result_verdict){ .target = STR("npu@1"),
		.status = OP_CPU_FALLBACK };
	result->implied->verdicts[result->implied->verdict_count++] = (struct result_verdict){ .target = STR("musa@1"),
		.status = OP_NATIVE };
	result->findings = arena_alloc(&result->arena, FINDINGS * sizeof(result->findings[0]));
	for (size_t i = 0; i < FINDINGS; i++)
		result->findings[result->finding_count++] = (struct result_finding){ .what = message_of(found[i].rule),
			.operator_name = str_from(found[i].name),
			.target = str_from(found[i].target),
			.fingerprint = str_from(found[i].fingerprint),
			.fact = str_from(found[i].fact) };
	return result;
}

/* "a1 b1" of the findings of a list. */
static void put_fingerprints(struct buf *out, const struct result_finding *findings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		buf_printf(out, "%s%.*s", i ? " " : "", STR_ARG(findings[i].fingerprint));
}

/* "unsupported 1/0/0" of every check: counted, waived, known. */
static void put_checks(struct buf *out, const struct result_target *target)
{
	buf_printf(out, "%.*s", STR_ARG(word_for(&gate_state_words, target->gate)));
	for (size_t i = 0; i < target->check_count; i++)
		buf_printf(out, " %.*s %u/%u/%u", STR_ARG(target->checks[i].name), (unsigned)target->checks[i].counted,
			(unsigned)target->checks[i].waived, (unsigned)target->checks[i].known);
}

static void put_warnings(struct buf *out, const struct result_policy *policy)
{
	for (size_t i = 0; i < policy->warning_count; i++)
		buf_printf(out, "%s%s", i ? " " : "", policy->warnings[i].id);
}

struct outcome {
	const char *waivers, *gate;             /* what is given */
	const char *waived, *npu, *musa, *said; /* what follows */
};

static void hold(const struct outcome *wanted, const char *baseline)
{
	CLEANUP(buf_clear)
	struct buf waived = BUF_INIT(1000), npu = BUF_INIT(1000), musa = BUF_INIT(1000), said = BUF_INIT(1000);
	struct result *result = small_result(), *earlier = small_result();
	struct policy policy;
	struct err err = { 0 };

	policy_init(&policy);
	memcpy(policy.date, "2026-11-21", DATE_BYTES);
	if (wanted->gate[0])
		assert_int_equal(gate_parse(&policy.gate, str_from(wanted->gate), &err), 0);
	if (wanted->waivers[0] && policy_add_waivers(&policy, str_from(wanted->waivers), STR("w"), STR(""), &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; baseline && i < earlier->finding_count; i++)
		earlier->findings[i].fingerprint = strstr(baseline, earlier->findings[i].fingerprint.ptr)
							   ? earlier->findings[i].fingerprint
							   : STR("-");
	if (baseline)
		policy_set_baseline(&policy, earlier, STR("b"), STR(""));
	policy_apply(&policy, result);
	policy_clear(&policy);
	put_fingerprints(&waived, result->waived, result->waived_count);
	put_checks(&npu, &result->targets[0]);
	put_checks(&musa, &result->targets[1]);
	put_warnings(&said, &result->policy);
	assert_str(buf_str(&waived), wanted->waived);
	assert_str(buf_str(&npu), wanted->npu);
	assert_str(buf_str(&musa), wanted->musa);
	assert_str(buf_str(&said), wanted->said);
	assert_int_equal(result->finding_count + result->waived_count, FINDINGS);
	result_free(result);
	result_free(earlier);
}

#define W(name, keys) "[waiver " name "]\nreason = r\n" keys

static void waivers_excuse_findings_before_the_gate(void **state)
{
	static const struct outcome cases[] = {
		{ "", "", "", "none", "none", "" },
		{ "", "unsupported", "", "failed unsupported 1/0/0", "failed unsupported 1/0/0", "" },
		{ W("a", "op = aten::a\n"), "unsupported", "a1 a2", "passed unsupported 0/1/0",
			"passed unsupported 0/1/0", "" },
		{ W("a", "target = npu@*\n"), "unsupported", "a1 b1", "passed unsupported 0/1/0",
			"failed unsupported 1/0/0", "" },
		{ W("a", "rule = op-cpu-fallback\n"), "cpu-fallback,dynamic-unbounded", "b1",
			"failed cpu-fallback 0/1/0 dynamic-unbounded 1/0/0",
			"failed cpu-fallback 0/0/0 dynamic-unbounded 1/0/0", "" },
		{ W("a", "rule = shape-varying\n"), "cpu-fallback,dynamic-unbounded", "b0",
			"failed cpu-fallback 1/0/0 dynamic-unbounded 0/1/0",
			"passed cpu-fallback 0/0/0 dynamic-unbounded 0/1/0", "" },
		{ W("a", "op = aten::c\n"), "composite", "", "passed composite 0/1/0", "passed composite 0/1/0", "" },
		{ W("a", "op = aten::c\nrule = op-*\n"), "composite", "", "failed composite 1/0/0",
			"failed composite 1/0/0", "waiver-unused" },
		{ W("a", "op = aten::a\n"), "", "a1 a2", "none", "none", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		hold(&cases[i], NULL);
}

static void waivers_end_by_date_and_by_fact(void **state)
{
	static const struct outcome cases[] = {
		{ W("a", "op = aten::a\nuntil = 2026-11-21\n"), "unsupported", "a1 a2", "passed unsupported 0/1/0",
			"passed unsupported 0/1/0", "waiver-expires-soon" },
		{ W("a", "op = aten::a\nuntil = 2026-11-20\n"), "unsupported", "", "failed unsupported 1/0/0",
			"failed unsupported 1/0/0", "waiver-expired" },
		{ W("a", "op = aten::a\nuntil = 2026-12-05\n"), "", "a1 a2", "none", "none", "waiver-expires-soon" },
		{ W("a", "op = aten::a\nuntil = 2026-12-06\n"), "", "a1 a2", "none", "none", "" },
		{ W("a", "op = aten::a\nuntil_fact_changes = true\nfact = f1\n"), "unsupported", "a1",
			"passed unsupported 0/1/0", "failed unsupported 1/0/0", "waiver-fact-changed" },
		{ W("a", "op = aten::a\nuntil = 2020-01-01\n") W("b", "op = aten::*\n"), "", "a1 a2 b1 b0", "none",
			"none", "waiver-expired" },
		{ W("a", "op = aten::x\n"), "", "", "none", "none", "waiver-unused" },
		{ W("a", "op = aten::x\ntarget = npu@2\n"), "", "", "none", "none", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		hold(&cases[i], NULL);
}

static void findings_of_the_baseline_do_not_count(void **state)
{
	static const struct {
		struct outcome outcome;
		const char *baseline;
	} cases[] = {
		{ { "", "unsupported", "", "passed unsupported 0/0/1", "failed unsupported 1/0/0", "" }, "a1" },
		{ { "", "unsupported", "", "passed unsupported 0/0/1", "passed unsupported 0/0/1", "" }, "a1 a2" },
		{ { "", "unsupported", "", "failed unsupported 1/0/0", "failed unsupported 1/0/0", "baseline-other" },
			"" },
		{ { W("a", "op = aten::a\ntarget = npu@*\n"), "unsupported", "a1", "passed unsupported 0/1/0",
			  "passed unsupported 0/0/1", "" },
			"a1 a2" },
		{ { "", "", "", "none", "none", "" }, "b0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		hold(&cases[i].outcome, cases[i].baseline);
}

static void operators_that_were_not_recorded_count_where_they_leave_the_device(void **state)
{
	static const struct outcome cases[] = {
		{ "", "implied,unsupported", "", "failed unsupported 1/0/0 implied 1/0/0",
			"failed unsupported 1/0/0 implied 0/0/0", "" },
		{ W("a", "op = aten::i\n"), "implied", "", "passed implied 0/1/0", "passed implied 0/0/0", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		hold(&cases[i], NULL);
}

static void an_expired_waiver_may_fail_the_gate(void **state)
{
	static const struct {
		const char *waivers;
		bool failed;
	} cases[] = {
		{ W("a", "op = aten::a\n"), false },
		{ W("a", "op = aten::x\nuntil = 2020-01-01\n"), true },
		{ W("a", "op = aten::a\nuntil_fact_changes = true\nfact = f1\n"), true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct result *result = small_result();
		struct policy policy;
		struct err err = { 0 };

		policy_init(&policy);
		memcpy(policy.date, "2026-11-21", DATE_BYTES);
		policy.fail_on_expired_waiver = true;
		assert_int_equal(policy_add_waivers(&policy, str_from(cases[i].waivers), STR("w"), STR(""), &err), 0);
		policy_apply(&policy, result);
		assert_str(word_for(&gate_state_words, result->targets[0].gate), cases[i].failed ? "failed" : "passed");
		policy_clear(&policy);
		result_free(result);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(waivers_excuse_findings_before_the_gate),
		cmocka_unit_test(waivers_end_by_date_and_by_fact),
		cmocka_unit_test(findings_of_the_baseline_do_not_count),
		cmocka_unit_test(operators_that_were_not_recorded_count_where_they_leave_the_device),
		cmocka_unit_test(an_expired_waiver_may_fail_the_gate),
	};

	return run_group(tests);
}
