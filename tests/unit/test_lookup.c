/* Asking the support database by name, and choosing targets: what `opcheck op` and the service answer with. */
#include <stdlib.h>

#include "check/lookup/lookup.h"
#include "check/lookup/lookup_related.h"
#include "check/lookup/search.h"
#include "check/asked/targets.h"
#include "opdb/db/lists.h"
#include "tests/unit/opdb_fixture.h"

static struct target_list usual_targets(const struct fixture *fixture)
{
	struct target_list targets;
	struct err err = { 0 };

	assert_int_equal(targets_choose(fixture->db, &(struct target_question){ .torch = STR("") }, &targets, &err), 0);
	return targets;
}

static void without_targets_there_are_the_newest_of_each(void **state)
{
	const struct fixture *fixture = *state;
	struct target_list targets = usual_targets(fixture);

	assert_int_equal(targets.count, 2);
	assert_string_equal(targets.items[0].id, opdb_newest(fixture->db, TARGET_NPU, STR(""))->id.ptr);
	assert_string_equal(targets.items[1].id, opdb_newest(fixture->db, TARGET_MUSA, STR(""))->id.ptr);
	target_list_clear(&targets);
}

static void two_names_of_a_release_are_one_target(void **state)
{
	const struct fixture *fixture = *state;
	struct str specs[] = { STR("npu"), STR("musa@v1.0.0"),
		{ opdb_newest(fixture->db, TARGET_NPU, STR(""))->id.ptr,
			opdb_newest(fixture->db, TARGET_NPU, STR(""))->id.len } };
	struct target_list targets;
	struct err err = { 0 };

	assert_int_equal(targets_choose(fixture->db, &(struct target_question){ specs, ARRAY_SIZE(specs), STR("") },
				 &targets, &err),
		0);
	assert_int_equal(targets.count, 2);
	target_list_clear(&targets);
}

static void one_bad_target_leaves_none(void **state)
{
	const struct fixture *fixture = *state;
	struct str specs[] = { STR("npu"), STR("tpu") };
	struct target_list targets;
	struct err err = { 0 };

	assert_int_equal(targets_choose(fixture->db, &(struct target_question){ specs, ARRAY_SIZE(specs), STR("") },
				 &targets, &err),
		-ERR_TARGET);
	assert_int_equal(targets.count, 0);
	assert_null(targets.items);
}

static void names_are_taken_as_people_write_them(void **state)
{
	static const struct {
		const char *given, *name, *overload;
	} cases[] = {
		{ "add", "aten::add", "" }, { "aten::add", "aten::add", "" }, { "add.Tensor", "aten::add", "Tensor" },
		{ "aten::add.out.more", "aten::add", "out.more" }, { "mine::op", "mine::op", "" },
		{ "a.b::op.x", "a.b::op", "x" },   /* a dot of the namespace parts nothing */
		{ "nms", "torchvision::nms", "" }, /* of a library, where aten has no such name */
	};
	const struct fixture *fixture = *state;
	struct target_list targets = usual_targets(fixture);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct lookup lookup;
		struct err err = { 0 };

		if (lookup_run(fixture->db, str_from(cases[i].given), &targets, &lookup, &err))
			fail_msg("%s: %s", cases[i].given, err.text);
		assert_str(lookup.name, cases[i].name);
		assert_str(lookup.overload, cases[i].overload);
		assert_int_equal(lookup.count, targets.count);
		lookup_clear(&lookup);
	}
	target_list_clear(&targets);
}

static void a_python_name_that_is_about_no_single_operator_answers_with_those_that_it_calls(void **state)
{
	const struct fixture *fixture = *state;
	struct target_list targets = usual_targets(fixture);
	struct lookup lookup;
	struct err err = { 0 };
	bool backward_alone = false;

	assert_int_equal(lookup_run(fixture->db, STR("nn.MultiheadAttention"), &targets, &lookup, &err), 0);
	assert_str(lookup.api, "torch.nn.MultiheadAttention");
	assert_int_equal(lookup.name.len + lookup.count, 0);
	assert_true(lookup.call_count > 14);
	assert_int_equal(lookup.calls[0].call.forward, 100);
	for (size_t i = 0; i < lookup.call_count; i++) {
		const struct lookup_call *call = &lookup.calls[i];
		enum op_status status;

		if (i)
			assert_true(call->call.forward <= call[-1].call.forward);
		backward_alone |= str_eq(call->call.name, STR("aten::_softmax_backward_data")) && !call->call.forward &&
				  call->call.backward == 100;
		for (size_t j = 0; j < targets.count; j++) {
			assert_int_equal(
				lookup_status(fixture->resolver, &targets.items[j], call->call.name, &status, &err), 0);
			assert_true(call->verdicts[j].status == status);
		}
	}
	assert_true(backward_alone);
	lookup_clear(&lookup);
	target_list_clear(&targets);
}

static void an_api_that_nobody_measured_calls_nothing(void **state)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct api_calls calls;
	struct err err = { 0 };

	assert_int_equal(
		opdb_api_calls(((struct fixture *)*state)->db, STR("torch.frobnicate"), &arena, &calls, &err), 0);
	assert_int_equal(calls.count, 0);
	assert_int_equal(
		opdb_api_calls(((struct fixture *)*state)->db, STR("torch.Tensor.abs_"), &arena, &calls, &err), 0);
	assert_int_equal(calls.count, 3);
	assert_str(calls.items[0].name, "aten::abs_");
	arena_clear(&arena);
}

static void a_name_that_nothing_has_is_an_error_with_the_nearest(void **state)
{
	static const char *const names[] = { "ad", "aten::", "", "::", ".", "aten::add ", "\x1b[31m" };
	const struct fixture *fixture = *state;
	struct target_list targets = usual_targets(fixture);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct lookup lookup;
		struct err err = { 0 };
		int status = lookup_run(fixture->db, str_from(names[i]), &targets, &lookup, &err);

		if (status && status != -ERR_OPERATOR)
			fail_msg("'%s' answers %d", names[i], status);
		assert_null(strchr(err.text, '\x1b'));
		if (i == 0)
			assert_non_null(strstr(err.hint, "aten::add"));
		lookup_clear(&lookup);
	}
	target_list_clear(&targets);
}

static void a_list_tells_the_status_that_a_look_up_tells(void **state)
{
	static const char *const names[] = { "aten::add", "aten::isin", "aten::nonzero", "aten::_mps_convolution" };
	const struct fixture *fixture = *state;
	struct target_list targets = usual_targets(fixture);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct lookup lookup;
		enum op_status status;
		struct err err = { 0 };

		assert_int_equal(lookup_run(fixture->db, str_from(names[i]), &targets, &lookup, &err), 0);
		for (size_t j = 0; j < targets.count; j++) {
			assert_int_equal(
				lookup_status(fixture->resolver, &targets.items[j], lookup.name, &status, &err), 0);
			assert_true(status == lookup.answers[j].judgement.verdict.status);
		}
		lookup_clear(&lookup);
	}
	target_list_clear(&targets);
}

static void every_word_must_be_in_the_name(void **state)
{
	const struct fixture *fixture = *state;
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct search_result found;
	struct err err = { 0 };

	assert_int_equal(search_operators(fixture->db, &(struct search){ STR("CONV  backward"), STR(""), 1000 }, &arena,
				 &found, &err),
		0);
	assert_int_equal(found.count, 3);
	assert_false(found.more);
	for (size_t i = 0; i < found.count; i++)
		assert_true(str_has(found.names[i], STR("conv")) && str_has(found.names[i], STR("backward")));
	assert_int_equal(search_operators(fixture->db, &(struct search){ STR("no such words"), STR(""), 10 }, &arena,
				 &found, &err),
		0);
	assert_int_equal(found.count + found.total, 0);
	arena_clear(&arena);
}

static void pages_of_a_search_hold_every_name_once(void **state)
{
	const struct fixture *fixture = *state;
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct str after = STR("");
	size_t seen = 0;
	struct search_result found = { .more = true };

	while (found.more) {
		struct err err = { 0 };

		assert_int_equal(
			search_operators(fixture->db, &(struct search){ STR(""), after, 500 }, &arena, &found, &err),
			0);
		for (size_t i = 0; i < found.count; i++) {
			assert_true(str_cmp(after, found.names[i]) < 0);
			after = found.names[i];
		}
		seen += found.count;
	}
	assert_int_equal(seen, found.total);
	assert_int_equal(seen, opdb_info(fixture->db)->names);
	arena_clear(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_targets_there_are_the_newest_of_each),
		cmocka_unit_test(two_names_of_a_release_are_one_target),
		cmocka_unit_test(one_bad_target_leaves_none),
		cmocka_unit_test(names_are_taken_as_people_write_them),
		cmocka_unit_test(a_python_name_that_is_about_no_single_operator_answers_with_those_that_it_calls),
		cmocka_unit_test(an_api_that_nobody_measured_calls_nothing),
		cmocka_unit_test(a_name_that_nothing_has_is_an_error_with_the_nearest),
		cmocka_unit_test(a_list_tells_the_status_that_a_look_up_tells),
		cmocka_unit_test(every_word_must_be_in_the_name),
		cmocka_unit_test(pages_of_a_search_hold_every_name_once),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
