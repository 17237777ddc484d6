/* Operators whose result has a shape that depends on values, by what PyTorch says and by what it does not. */
#include "assess/shape/data_dependent.h"
#include "assess/shape/dynamic.h"

#include "opdb/resolve/resolve.h"
#include "tests/unit/check.h"
#include "tests/unit/opdb_fixture.h"
#include "tests/unit/sheets.h"

/* Whether the first operator of a dump with these rows, with these tags, is one. */
static bool first_is(void **state, const char *rows, unsigned tags, bool rows_hidden)
{
	const struct fixture *fixture = *state;
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct name_lookup nothing = { .known = NULL };
	struct profile *profile = profile_of_steps(rows);
	struct operators operators;
	bool found;

	operators_gather(&arena, profile, &nothing, &operators);
	found = is_data_dependent(fixture->db, &operators, &operators.items[0], tags, rows_hidden);
	arena_clear(&arena);
	profile_free(profile);
	return found;
}

static void the_tag_of_pytorch_counts(void **state)
{
	assert_true(first_is(state, "aten::masked_select [[3], [3]]", TAG_DYNAMIC_OUTPUT_SHAPE, false));
	assert_false(first_is(state, "aten::add [[3], [3]]", 0, false));
	assert_false(first_is(state, "aten::item [[]]", TAG_DATA_DEPENDENT_OUTPUT, false));
}

static void some_carry_no_tag(void **state)
{
	assert_true(first_is(state, "torchvision::nms [[9, 4], [9]]", 0, false));
	assert_true(first_is(state, "aten::_unique [[9]]", 0, false));
	assert_false(first_is(state, "other::nms [[9, 4], [9]]", 0, false));
}

static void an_index_is_one_only_with_a_mask_which_calls_nonzero(void **state)
{
	assert_false(first_is(state, "aten::index [[3], [3]]", TAG_DYNAMIC_OUTPUT_SHAPE, false));
	assert_true(first_is(state, "aten::index [[3], [3]]; aten::nonzero [[3]]", TAG_DYNAMIC_OUTPUT_SHAPE, false));
	assert_true(first_is(state, "aten::index [[3], [3]]", TAG_DYNAMIC_OUTPUT_SHAPE, true));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tag_of_pytorch_counts),
		cmocka_unit_test(some_carry_no_tag),
		cmocka_unit_test(an_index_is_one_only_with_a_mask_which_calls_nonzero),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
