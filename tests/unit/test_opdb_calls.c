/* What composite bodies and gradients call on a release, and the rules about device paths. */
#include "opdb/db/lists.h"
#include "opdb/resolve/calls.h"
#include "tests/unit/opdb_fixture.h"

static struct str calls_on(const struct fixture *fixture, const char *spec, const char *base)
{
	struct target target = target_named(fixture, spec);
	struct str calls = STR("");
	struct err err = { 0 };

	if (resolve_calls(fixture->resolver, &target, &(struct op_query){ .ns = STR("aten"), .base = str_from(base) },
		    &calls, &err))
		fail_msg("%s", err.text);
	return calls;
}

static void a_composite_calls_what_all_its_overloads_call(void **state)
{
	static const struct {
		const char *spec, *base, *calls;
	} cases[] = {
		{ "musa@v2.7.1", "lstm", "" }, /* its overloads for packed sequences were not measured */
		{ "musa@v2.7.1", "gru_cell", "_thnn_fused_gru_cell matmul t" },
		{ "npu@v2.7.1-26.0.0", "scaled_dot_product_attention", "" }, /* a kernel of its own */
		{ "musa@v2.7.1", "no_such_operator", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_str(calls_on(*state, cases[i].spec, cases[i].base), cases[i].calls);
}

static struct gradient_answer gradient_on(const struct fixture *fixture, const char *spec, const char *base)
{
	struct target target = target_named(fixture, spec);
	struct gradient_answer answer;
	struct err err = { 0 };

	if (resolve_gradient(fixture->resolver, &target,
		    &(struct op_query){ .ns = STR("aten"), .base = str_from(base) }, &answer, &err))
		fail_msg("%s", err.text);
	return answer;
}

static void a_gradient_is_that_of_the_nearest_version(void **state)
{
	struct gradient_answer answer = gradient_on(*state, "musa@v2.7.1", "convolution");

	assert_true(answer.known);
	assert_str(answer.calls, "convolution_backward");
	assert_str(gradient_on(*state, "npu@v1.11.0-5.0.0", "convolution").calls, "convolution_backward");
	assert_str(gradient_on(*state, "musa@v2.7.1", "_log_softmax").calls, "_log_softmax_backward_data");
	answer = gradient_on(*state, "musa@v2.7.1", "abs");
	assert_true(answer.known);
	assert_str(answer.calls, "");
	assert_false(gradient_on(*state, "musa@v2.7.1", "no_such_operator").known);
}

/* derivatives.yaml has another formula for nested tensors beside the one for dense ones. */
static void formulas_for_nested_tensors_are_left_out(void **state)
{
	assert_str(gradient_on(*state, "musa@v2.7.1", "sum").calls, "");
}

static void rules_name_what_they_need(void **state)
{
	const struct fixture *fixture = *state;
	size_t count, dropout = 0;
	const struct implied_rule *rules = opdb_implied(fixture->db, &count);

	for (size_t i = 0; i < count; i++) {
		assert_true(rules[i].calls.len && rules[i].source);
		if (!str_eq(rules[i].name, STR("dropout-backward")))
			continue;
		dropout++;
		assert_int_equal(rules[i].needs, NEED_BACKWARD);
		assert_true(rules[i].torch_from > 0);
	}
	assert_int_equal(dropout, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_composite_calls_what_all_its_overloads_call),
		cmocka_unit_test(a_gradient_is_that_of_the_nearest_version),
		cmocka_unit_test(formulas_for_nested_tensors_are_left_out),
		cmocka_unit_test(rules_name_what_they_need),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
