/* Findings: which judgement gives cause for which, in what order, under which fingerprint. */
#include <stdlib.h>

#include "assess/finding/cause_key.h"
#include "assess/model/words.h"
#include "assess/model/rule.h"
#include "assess/finding/finding.h"
#include "tests/unit/check.h"

static void every_rule_is_found_by_its_id(void **state)
{
	for (size_t i = 0; i < rule_count; i++) {
		assert_ptr_equal(rule_find(str_from(rules[i].id)), &rules[i]);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(rules[i].id, rules[j].id);
	}
	assert_null(rule_find(STR("")));
	assert_null(rule_find(STR("op-unsupporte")));
	assert_str(word_for(&severity_words, SEVERITY_NOTE), "note");
}

/* The rules of all findings on a verdict, joined by blanks. */
static void rules_of(struct judgement judgement, const struct message *conditions, size_t condition_count,
	const char *kind, struct buf *ret)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct finding_list findings = { .arena = &arena };
	struct result_operator op = { .name = STR("aten::x"), .dynamic = { .kind = enum_of(&dynamic_words, kind) } };

	judgement.verdict.target = STR("npu@1");
	judgement.verdict.conditions = (struct message *)(uintptr_t)conditions;
	judgement.verdict.condition_count = condition_count;
	findings_of_verdict(&findings, &op, &judgement, true);
	findings_of_shapes(&findings, &op);
	for (size_t i = 0; i < findings.count; i++) {
		buf_printf(ret, i ? " %s" : "%s", findings.items[i].what.id);
		assert_int_equal(findings.items[i].fingerprint.len, 16);
		assert_str(findings.items[i].operator_name, "aten::x");
		assert_int_equal(findings.items[i].severity, rule_find(str_from(findings.items[i].what.id))->severity);
	}
	free(findings.items);
	arena_clear(&arena);
}

static void each_judgement_gives_its_findings(void **state)
{
	static const struct message overload = { .id = "op-overload" };
	static const struct {
		struct judgement judgement;
		bool conditional;
		const char *kind, *rules;
	} cases[] = {
		{ { .verdict.status = OP_NATIVE }, false, "static", "" },
		{ { .verdict.status = OP_COMPOSITE }, false, "static", "" },
		{ { .verdict.status = OP_EQUIVALENT }, false, "unknown", "" },
		{ { .verdict.status = OP_NATIVE_JIT }, false, "static", "op-compiles" },
		{ { .verdict.status = OP_NATIVE_JIT }, false, "unbounded", "shape-recompile shape-varying" },
		{ { .verdict.status = OP_NATIVE, .verdict.flags = FLAG_JIT_COMPILE }, false, "last-batch",
			"shape-recompile shape-varying" },
		{ { .verdict.status = OP_CPU_FALLBACK }, false, "static", "op-cpu-fallback" },
		{ { .verdict.status = OP_UNSUPPORTED }, false, "static", "op-unsupported" },
		{ { .verdict.status = OP_NEEDS_PACKAGE, .package = { "x", 1 } }, false, "static", "op-needs-package" },
		{ { .verdict.status = OP_UNKNOWN }, false, "static", "op-unknown" },
		{ { .verdict.status = OP_NATIVE, .verdict.flags = FLAG_HOST_PATH }, false, "static", "op-host-path" },
		{ { .verdict.status = OP_NATIVE }, true, "static", "op-overload" },
		{ { .verdict.status = OP_UNSUPPORTED }, true, "data-dependent",
			"op-unsupported op-overload shape-data-dependent" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf found = BUF_INIT(1000);

		rules_of(cases[i].judgement, &overload, cases[i].conditional, cases[i].kind, &found);
		assert_str(buf_str(&found), cases[i].rules);
	}
}

static struct result_finding finding(
	const char *severity, int64_t share, const char *op, const char *target, const char *rule)
{
	return (struct result_finding){ .what = { .id = rule },
		.severity = enum_of(&severity_words, severity),
		.share_ppm = share,
		.operator_name = str_from(op),
		.target = str_from(target) };
}

static void the_gravest_and_longest_come_first(void **state)
{
	const struct result_finding sorted[] = {
		finding("error", 5, "aten::b", "npu", "op-unsupported"),
		finding("error", 1, "aten::a", "musa", "op-unsupported"),
		finding("error", 1, "aten::a", "npu", "op-needs-package"),
		finding("error", 1, "aten::a", "npu", "op-unsupported"),
		finding("warning", 900, "aten::a", "npu", "op-unknown"),
		finding("warning", 900, "aten::b", "", "shape-recompile"),
		finding("note", 1000000, "aten::a", "npu", "op-compiles"),
	};
	struct result_finding mixed[ARRAY_SIZE(sorted)];
	struct finding_list list = { .items = mixed, .count = ARRAY_SIZE(mixed), .capacity = ARRAY_SIZE(mixed) };

	for (size_t turn = 0; turn < ARRAY_SIZE(sorted); turn++) {
		for (size_t i = 0; i < ARRAY_SIZE(sorted); i++)
			mixed[(i * 3 + turn) % ARRAY_SIZE(sorted)] = sorted[i];
		findings_sort(&list);
		for (size_t i = 0; i < ARRAY_SIZE(sorted); i++) {
			assert_string_equal(mixed[i].what.id, sorted[i].what.id);
			assert_str(mixed[i].operator_name, sorted[i].operator_name.ptr);
			assert_str(mixed[i].target, sorted[i].target.ptr);
		}
	}
	findings_sort(&(struct finding_list){ .count = 0 });
}

static struct str fingerprint_of(
	struct arena *arena, const char *operator_name, const char *target, int64_t share, const char *evidence)
{
	struct finding_list findings = { .arena = arena };
	struct result_evidence refs[] = { { EVIDENCE_SOURCE, str_from(evidence) } };
	struct result_operator op = {
		.name = str_from(operator_name), .share_ppm = share, .dynamic = { .kind = DYNAMIC_STATIC }
	};
	struct judgement judgement = { .verdict = { .target = str_from(target),
					       .status = OP_UNSUPPORTED,
					       .evidence = refs,
					       .evidence_count = 1 } };
	struct str fingerprint;

	findings_of_verdict(&findings, &op, &judgement, true);
	fingerprint = findings.items[0].fingerprint;
	free(findings.items);
	return fingerprint;
}

/* A list of waived findings must outlive the next run and the next database. */
static void a_fingerprint_is_rule_operator_and_target(void **state)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct str first = fingerprint_of(&arena, "aten::add", "npu@1", 5, "x");

	assert_str(first, fingerprint_of(&arena, "aten::add", "npu@1", 900, "y").ptr);
	assert_false(str_eq(first, fingerprint_of(&arena, "aten::add", "npu@2", 5, "x")));
	assert_false(str_eq(first, fingerprint_of(&arena, "aten::add_", "npu@1", 5, "x")));
	assert_false(str_eq(first, fingerprint_of(&arena, "aten::ad", "dnpu@1", 5, "x")));
	/* this very text stands in files of users */
	assert_str(first, "62b877e5e3452b06");
	arena_clear(&arena);
}

static void the_effort_is_the_least_that_the_advice_names(void **state)
{
	struct message advice[] = { message_of("advice-release"), message_of("advice-recipe"),
		message_of("advice-equivalent") };
	struct result_finding finding = { .what = message_of("op-unsupported"), .advice = advice };

	(void)state;
	message_add(&advice[1], "effort", STR("flag"));
	assert_int_equal(effort_of(&finding), EFFORT_PORT);
	finding.advice_count = 1;
	assert_int_equal(effort_of(&finding), EFFORT_UPGRADE);
	finding.advice_count = 2;
	assert_int_equal(effort_of(&finding), EFFORT_FLAG);
	advice[1].params[0].value = STR("nonsense"); /* a report that was read may say anything */
	assert_int_equal(effort_of(&finding), EFFORT_UPGRADE);
	finding.advice_count = 3;
	assert_int_equal(effort_of(&finding), EFFORT_RECIPE);
	finding = (struct result_finding){ .what = message_of("op-compiles") };
	assert_int_equal(effort_of(&finding), EFFORT_FLAG);
}

static void rules_that_ask_the_same_of_a_reader_have_one_key(void **state)
{
	static const char *const pairs[][2] = { { "op-host-path", "op-aicpu" }, { "dtype-int64-keys", "op-aicpu" },
		{ "op-compiles", "shape-recompile" }, { "op-out-variant", "op-overload" },
		{ "observed-aicpu-kernel", "observed-aicpu" }, { "op-overload", "op-overload" } };
	const struct cause_keys keys = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		const struct result_finding finding = { .what.id = pairs[i][0], .operator_name = STR("aten::x") };

		assert_string_equal(cause_key_of(&keys, &finding).family, pairs[i][1]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_rule_is_found_by_its_id),
		cmocka_unit_test(each_judgement_gives_its_findings),
		cmocka_unit_test(the_gravest_and_longest_come_first),
		cmocka_unit_test(the_effort_is_the_least_that_the_advice_names),
		cmocka_unit_test(a_fingerprint_is_rule_operator_and_target),
		cmocka_unit_test(rules_that_ask_the_same_of_a_reader_have_one_key),
	};

	return run_group(tests);
}
