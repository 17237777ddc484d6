/* Recipes as the database hands them out: about which operators, on which releases, with which code. */
#include "assess/judge/recipes.h"
#include "opdb/model/dtype.h"
#include "tests/unit/opdb_fixture.h"

static const struct recipe *named(const struct fixture *fixture, const char *name)
{
	size_t count;
	const struct recipe *recipes = opdb_recipes(fixture->db, &count);

	for (size_t i = 0; i < count; i++) {
		if (str_eq(recipes[i].name, str_from(name)))
			return &recipes[i];
	}
	fail_msg("no recipe %s", name);
	return NULL;
}

static bool holds(const struct fixture *fixture, const char *recipe, const char *target)
{
	return recipe_holds_on(fixture->db, named(fixture, recipe), target_named(fixture, target).release);
}

static void all_are_listed_and_their_names_rise(void **state)
{
	const struct fixture *fixture = *state;
	size_t count;
	const struct recipe *recipes = opdb_recipes(fixture->db, &count);

	assert_int_equal(count, 6);
	for (size_t i = 1; i < count; i++)
		assert_true(str_cmp(recipes[i - 1].name, recipes[i].name) < 0);
}

static void a_name_matches_whole_or_up_to_a_star(void **state)
{
	const struct fixture *fixture = *state;
	const struct recipe *foreach = named(fixture, "foreach-optimizer"), *isin = named(fixture, "isin");

	assert_true(recipe_is_about(isin, STR("aten::isin")));
	assert_false(recipe_is_about(isin, STR("aten::isin_")));
	assert_false(recipe_is_about(isin, STR("aten::isi")));
	assert_true(recipe_is_about(foreach, STR("aten::_foreach_add_")));
	assert_false(recipe_is_about(foreach, STR("aten::add_")));
	assert_false(recipe_is_about(named(fixture, "data-parallel"), STR("aten::add")));
}

static void a_span_ends_where_it_says(void **state)
{
	const struct fixture *fixture = *state;

	assert_true(holds(fixture, "all-int", "musa@v1.3.2"));
	assert_false(holds(fixture, "all-int", "musa@v2.7.1"));
	assert_false(holds(fixture, "all-int", "npu@2.1.0"));
	assert_true(holds(fixture, "isin", "npu@2.1.0"));
	assert_true(holds(fixture, "isin", "musa@v2.7.1"));
}

static void what_is_wrong_decides(void **state)
{
	const struct fixture *fixture = *state;
	struct recipe_case what = { .name = STR("aten::isin") };

	assert_false(recipe_fits_case(fixture->db, named(fixture, "isin"), &what));
	what.off_device = true;
	assert_true(recipe_fits_case(fixture->db, named(fixture, "isin"), &what));
	what = (struct recipe_case){ .name = STR("aten::nonzero"), .off_device = true };
	assert_false(recipe_fits_case(fixture->db, named(fixture, "nonzero"), &what));
	what.by_shapes = true;
	assert_true(recipe_fits_case(fixture->db, named(fixture, "nonzero"), &what));
	what = (struct recipe_case){ .name = STR("aten::view_as_complex") };
	assert_true(recipe_fits_case(fixture->db, named(fixture, "complex-rope"), &what));
}

static void a_word_about_types_names_them(void **state)
{
	static const struct {
		const char *word;
		bool good;
		unsigned types;
	} cases[] = {
		{ "dtype", true, DTYPE_ALL },
		{ "dtype:fp64", true, DTYPE_FP64 },
		{ "dtype:complex64,uint8", true, DTYPE_COMPLEX64 | DTYPE_UINT8 },
		{ "dtype:", false, 0 },
		{ "dtype:fp64,fp65", false, DTYPE_FP64 },
		{ "shapes", false, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned types;

		assert_int_equal(dtypes_of_reason(str_from(cases[i].word), &types), cases[i].good);
		assert_true(!cases[i].good || types == cases[i].types);
	}
}

static void advice_is_added_once_and_behind_what_is_there(void **state)
{
	const struct fixture *fixture = *state;
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct message first = message_of("advice-release"), *advice = &first;
	struct recipe_case what = { .name = STR("aten::isin"), .off_device = true };
	size_t count = 1;

	recipes_advise(&arena, fixture->db, &what, &advice, &count);
	recipes_advise(&arena, fixture->db, &what, &advice, &count);
	assert_int_equal(count, 2);
	assert_string_equal(advice[0].id, "advice-release");
	assert_string_equal(advice[1].id, "advice-recipe");
	assert_str(advice[1].params[0].value, "isin");
	arena_clear(&arena);
}

static void code_is_read_when_it_is_asked_for(void **state)
{
	const struct fixture *fixture = *state;
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED), small = ARENA_INIT(16);
	struct err err = { 0 };
	struct str code;

	assert_int_equal(recipe_code(fixture->db, named(fixture, "isin"), &arena, &code, &err), 0);
	assert_true(str_has(code, STR("def before(")) && str_has(code, STR("torch.isin")));
	assert_int_equal(recipe_code(fixture->db, named(fixture, "isin"), &small, &code, &err), -ERR_LIMIT);
	arena_clear(&arena);
	arena_clear(&small);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_listed_and_their_names_rise),
		cmocka_unit_test(a_name_matches_whole_or_up_to_a_star),
		cmocka_unit_test(a_span_ends_where_it_says),
		cmocka_unit_test(what_is_wrong_decides),
		cmocka_unit_test(a_word_about_types_names_them),
		cmocka_unit_test(advice_is_added_once_and_behind_what_is_there),
		cmocka_unit_test(code_is_read_when_it_is_asked_for),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
