/* What composite bodies and gradients call on a release, and the rules about device paths. */
#include <sqlite3.h>

#include "opdb/db/handle.h"
#include "opdb/db/lists.h"
#include "opdb/db/names.h"
#include "opdb/resolve/calls.h"
#include "opdb/resolve/unit_texts.h"
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

static void put_answer(const struct fixture *fixture, const char *spec, struct str name, struct buf *out)
{
	struct target target = target_named(fixture, spec);
	size_t colons = str_find(name, STR("::"));
	struct op_query query = { .ns = str_sub(name, 0, colons), .base = str_skip(name, colons + 2) };
	struct answer answer;
	struct str calls;
	struct err err = { 0 };

	assert_int_equal(resolve_base(fixture->resolver, &target, &query, &answer, &err), 0);
	assert_int_equal(resolve_unit_texts(fixture->resolver, &target, &query, &answer, &err), 0);
	assert_int_equal(resolve_calls(fixture->resolver, &target, &query, &calls, &err), 0);
	buf_printf(out, "%.*s %d %x %.*s %.*s %zu %zu %x %x %x %zu %.*s\n", STR_ARG(name), (int)answer.status,
		answer.flags, STR_ARG(answer.via), STR_ARG(answer.detail), answer.overload_count, answer.evidence_count,
		answer.refused, answer.slow, answer.units.types, answer.note_count, STR_ARG(calls));
}

/* Of every name on three releases, as a new resolver says it. */
static void put_answers(const struct fixture *fixture, struct buf *out)
{
	static const char *const specs[] = { "npu@v2.7.1-26.0.0", "npu@v1.11.0-5.0.0", "musa@v2.7.1" };
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct fixture asked = { .db = fixture->db, .resolver = resolver_new(fixture->db) };
	struct name_list names = { 0 };
	struct err err;

	assert_int_equal(opdb_names_with_prefix(fixture->db, STR(""), &arena, &names, &err), 0);
	for (size_t i = 0; i < names.count * ARRAY_SIZE(specs); i++)
		put_answer(&asked, specs[i % ARRAY_SIZE(specs)], names.items[i / ARRAY_SIZE(specs)], out);
	resolver_free(asked.resolver);
}

static int count_statement(unsigned kind, void *ctx, void *statement, void *sql)
{
	++*(size_t *)ctx;
	return 0;
}

static void facts_read_ahead_answer_as_those_read_when_needed(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(buf_clear) struct buf needed = BUF_UNLIMITED, ahead = BUF_UNLIMITED;
	size_t statements = 0, needed_statements;
	struct err err;

	sqlite3_trace_v2(fixture->db->sqlite, SQLITE_TRACE_STMT, count_statement, &statements);
	put_answers(fixture, &needed);
	needed_statements = statements;
	assert_int_equal(opdb_read_ahead(fixture->db, &err), 0);
	statements = 0;
	for (int turn = 0; turn < 2; turn++) { /* what one resolver worked out is not another one's */
		buf_reset(&ahead);
		put_answers(fixture, &ahead);
		assert_true(str_eq(buf_str(&ahead), buf_str(&needed)));
	}
	assert_true(statements < needed_statements); /* both turns together */
	sqlite3_trace_v2(fixture->db->sqlite, 0, NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_composite_calls_what_all_its_overloads_call),
		cmocka_unit_test(a_gradient_is_that_of_the_nearest_version),
		cmocka_unit_test(formulas_for_nested_tensors_are_left_out),
		cmocka_unit_test(rules_name_what_they_need),
		cmocka_unit_test(facts_read_ahead_answer_as_those_read_when_needed),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
