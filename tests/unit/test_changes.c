/* Comparisons: what counts as a change, and what cannot be compared. */
#include "assess/model/words.h"
#include "assess/compare/changes_gate.h"
#include "base/memory/buf.h"
#include "tests/unit/check.h"

static void words_of_the_gate_are_read(void **state)
{
	unsigned words = 0;
	struct err err = { 0 };

	assert_int_equal(change_words_parse(&words, STR("new, worse"), &err), 0);
	assert_int_equal(words, 1u << FAIL_NEW | 1u << FAIL_WORSE);
	assert_int_equal(change_words_parse(&words, STR("time,shapes,incomparable"), &err), 0);
	assert_int_equal(words, (1u << FAIL_WORDS) - 1);
	assert_int_equal(change_words_parse(&words, STR("slower"), &err), -ERR_VALUE);
	assert_string_equal(err.text, "a comparison cannot fail on 'slower'");
}

/* A result of at most two operators on at most two targets. */
struct model {
	const char *build, *basis;
	int64_t shown_ppm;
	bool shapes;
	unsigned steps;
	struct {
		const char *id, *verdict;
	} targets[2];
	struct {
		const char *name, *statuses[2], *kind, *dims;
		int64_t share_ppm;
	} operators[2];
	struct {
		const char *fingerprint, *target, *severity;
		bool waived;
	} findings[2];
};

static void put_operators(struct result *result, const struct model *model)
{
	result->operators = arena_alloc(&result->arena, 2 * sizeof(result->operators[0]));
	for (size_t i = 0; i < 2 && model->operators[i].name; i++) {
		struct result_operator *op = &result->operators[result->operator_count++];

		*op = (struct result_operator){ .name = str_from(model->operators[i].name),
			.share_ppm = model->operators[i].share_ppm,
			.dynamic.kind = enum_of(&dynamic_words, model->operators[i].kind),
			.dynamic.distinct = 1,
			.shape_count = 1,
			.shape_total = 1 };
		op->shapes = arena_alloc(&result->arena, sizeof(op->shapes[0]));
		op->shapes[0].dims = str_from(model->operators[i].dims);
		op->verdicts = arena_alloc(&result->arena, 2 * sizeof(op->verdicts[0]));
		for (size_t j = 0; j < result->target_count; j++)
			op->verdicts[op->verdict_count++] = (struct result_verdict){ .target = result->targets[j].id,
				.status = enum_of(&op_status_words, model->operators[i].statuses[j]) };
	}
}

static struct result *result_of(const struct model *model)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct result *result = arena_alloc(&arena, sizeof(*result));

	result->arena = arena;
	result->db.build = str_from(model->build);
	result->basis = enum_of(&basis_words, model->basis);
	result->shown_ppm = model->shown_ppm;
	result->inputs = arena_alloc(&result->arena, sizeof(result->inputs[0]));
	result->inputs[result->input_count++] = (struct result_input){ .steps = model->steps,
		.capture.shapes = model->shapes };
	result->targets = arena_alloc(&result->arena, 2 * sizeof(result->targets[0]));
	for (size_t i = 0; i < 2 && model->targets[i].id; i++)
		result->targets[result->target_count++] = (struct result_target){ .id = str_from(model->targets[i].id),
			.verdict = enum_of(&verdict_words, model->targets[i].verdict) };
	put_operators(result, model);
	result->findings = arena_alloc(&result->arena, 2 * sizeof(result->findings[0]));
	result->waived = arena_alloc(&result->arena, 2 * sizeof(result->waived[0]));
	for (size_t i = 0; i < 2 && model->findings[i].fingerprint; i++) {
		struct result_finding finding = { .what.id = "op-unknown",
			.fingerprint = str_from(model->findings[i].fingerprint),
			.target = str_from(model->findings[i].target),
			.severity = enum_of(&severity_words, model->findings[i].severity) };

		if (model->findings[i].waived)
			result->waived[result->waived_count++] = finding;
		else
			result->findings[result->finding_count++] = finding;
	}
	return result;
}

static const struct model base = { "b1", "calls", 1000000, true, 3, { { "npu@1", "ready" }, { "musa@1", "blocked" } },
	{ { "aten::a", { "native", "unsupported" }, "static", "[[2]]", 600000 },
		{ "aten::b", { "cpu-fallback", "native" }, "static", "[[3]]", 400000 } },
	{ { "f1", "npu@1", "warning" }, { "f2", "", "note" } } };

/* "1 0? ..." of the words, ? where changes cannot be seen, then notes and operators. */
static void put(struct buf *out, const struct model *before, const struct model *after)
{
	struct result *old = result_of(before), *fresh = result_of(after);
	struct changes *changes = changes_find(old, fresh, 10000);

	for (unsigned i = 0; i < FAIL_WORDS; i++) {
		struct change_check check = changes_check(changes, (enum change_word)i);

		buf_printf(out, "%s%zu%s", i ? " " : "", check.count, check.unseen ? "?" : "");
	}
	buf_printf(out, "; fixed %zu;", changes->finding_count - changes->new_count);
	for (size_t i = 0; i < changes->note_count; i++)
		buf_printf(out, " %s", changes->notes[i].id);
	buf_byte(out, ';');
	for (size_t i = 0; i < changes->operator_count; i++)
		buf_printf(out, " %.*s=%x", STR_ARG(changes->operators[i].name), changes->operators[i].kinds);
	changes_free(changes);
	result_free(old);
	result_free(fresh);
}

static void hold(const struct model *before, const struct model *after, const char *wanted)
{
	CLEANUP(buf_clear) struct buf out = BUF_INIT(1000);

	put(&out, before, after);
	assert_str(buf_str(&out), wanted);
}

static void the_same_has_no_changes(void **state)
{
	hold(&base, &base, "0 0 0 0 0; fixed 0;;");
}

static void findings_are_told_by_fingerprint_on_common_targets(void **state)
{
	struct model after = base;

	after.findings[0].fingerprint = "f3";
	hold(&base, &after, "1 0 0 0 0; fixed 1;;");
	after.findings[0].severity = "note"; /* new, but nothing to fail on */
	hold(&base, &after, "0 0 0 0 0; fixed 1;;");
	after = base;
	after.findings[0].waived = true; /* still there */
	hold(&base, &after, "0 0 0 0 0; fixed 0;;");
	hold(&after, &base, "0 0 0 0 0; fixed 0;;");
	after = base;
	after.targets[0].id = "npu@2";
	after.findings[0].fingerprint = "f3";
	after.findings[0].target = "npu@2";
	hold(&base, &after, "0 0 0 0 1; fixed 0; diff.some-targets;");
	after.targets[1].id = "musa@2";
	hold(&base, &after, "0? 0? 0 0 1; fixed 0; diff.no-target;");
}

static void statuses_shares_and_shapes_are_compared(void **state)
{
	struct model after = base;

	after.operators[0].statuses[0] = "cpu-fallback";
	after.targets[0].verdict = "ready-with-warnings";
	hold(&base, &after, "0 2 0 0 0; fixed 0;; aten::a=8");
	hold(&after, &base, "0 0 0 0 0; fixed 0;; aten::a=4");
	after = base;
	after.operators[0].share_ppm = 609999;
	hold(&base, &after, "0 0 0 0 0; fixed 0;;");
	after.operators[0].share_ppm = 610000;
	hold(&base, &after, "0 0 1 0 0; fixed 0;; aten::a=10");
	hold(&after, &base, "0 0 0 0 0; fixed 0;; aten::a=10");
	after = base;
	after.operators[1].dims = "[[4]]";
	hold(&base, &after, "0 0 0 1 0; fixed 0;; aten::b=20");
	after.operators[1].dims = "[[3]]";
	after.operators[1].kind = "late";
	hold(&base, &after, "0 0 0 1 0; fixed 0;; aten::b=20");
	after = base;
	after.operators[1].name = "aten::c";
	hold(&base, &after, "0 0 0 0 0; fixed 0;; aten::b=2 aten::c=1");
}

static void what_cannot_be_compared_is_said_and_left_out(void **state)
{
	struct model after = base;

	after.build = "b2";
	hold(&base, &after, "0 0 0 0 1; fixed 0; diff.database;");
	after = base;
	after.basis = "self_cpu_time";
	after.operators[0].share_ppm = 1000000;
	hold(&base, &after, "0? 0? 0? 0? 1; fixed 0; diff.basis;");
	after = base;
	after.shown_ppm = 950000; /* neither shares nor verdicts */
	after.operators[0].share_ppm = 1000000;
	after.targets[0].verdict = "blocked";
	hold(&base, &after, "0? 0? 0? 0? 1; fixed 0; diff.captures;");
	hold(&after, &base, "0 0? 0? 0? 1; fixed 0; diff.captures;"); /* all that it shows was known */
	after.shown_ppm = 950001;
	hold(&base, &after, "0 1 1 0 0; fixed 0;; aten::a=10");
	after = base;
	after.shapes = false;
	after.operators[0].kind = "unknown";
	hold(&base, &after, "0 0 0 0? 1; fixed 0; diff.no-shapes;");
	after = base;
	after.steps = 5;
	hold(&base, &after, "0 0 0 0 1; fixed 0; diff.steps;");
}

static void changes_are_counted_beside_those_that_are_unseen(void **state)
{
	struct model after = base;

	after.shown_ppm = 840000;
	after.findings[0].fingerprint = "f3";
	after.operators[0].statuses[0] = "cpu-fallback";
	after.operators[1].dims = "[[4]]";
	hold(&base, &after, "1? 1? 0? 1? 1; fixed 1; diff.captures; aten::a=8 aten::b=20");
	hold(&after, &base,
		"1? 0? 0? 1? 1; fixed 1; diff.captures; aten::a=4 aten::b=20"); /* it may have been hidden */
	after = base;
	after.operators[0].name = "aten::c";
	after.operators[1].name = "aten::d";
	hold(&base, &after, "0 0 0? 0? 1; fixed 0; diff.no-operator; aten::a=2 aten::c=1 aten::b=2 aten::d=1");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_the_gate_are_read),
		cmocka_unit_test(the_same_has_no_changes),
		cmocka_unit_test(findings_are_told_by_fingerprint_on_common_targets),
		cmocka_unit_test(statuses_shares_and_shapes_are_compared),
		cmocka_unit_test(what_cannot_be_compared_is_said_and_left_out),
		cmocka_unit_test(changes_are_counted_beside_those_that_are_unseen),
	};

	return run_group(tests);
}
