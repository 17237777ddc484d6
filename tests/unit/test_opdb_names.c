/* Names that the database knows: by their beginning, by their likeness, with their versions and tags. */
#include "opdb/db/lists.h"
#include "opdb/db/names.h"
#include "tests/unit/opdb_fixture.h"

static void names_are_listed_in_order_by_their_beginning(void **state)
{
	static const struct {
		const char *prefix;
		size_t max, count;
		const char *first;
	} cases[] = {
		{ "aten::convol", 100, 4, "aten::convolution" },
		{ "aten::mkldnn", 100, 1, "aten::mkldnn_convolution" },
		{ "aten::conv", 3, 3, "aten::conv2d" },
		{ "aten::zzz", 100, 0, NULL },
		{ "nowhere::", 100, 0, NULL },
		{ "torchvision::nm", 100, 1, "torchvision::nms" },
		{ "c10", 2, 2, "c10d::_allgather_base_" },
	};
	const struct fixture *fixture = *state;
	struct arena arena = ARENA_INIT(1 << 20);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct name_list names = { .max = cases[i].max };
		struct err err = { 0 };

		assert_int_equal(
			opdb_names_with_prefix(fixture->db, str_from(cases[i].prefix), &arena, &names, &err), 0);
		assert_int_equal(names.count, cases[i].count);
		if (names.count)
			assert_str(names.items[0], cases[i].first);
		for (size_t n = 1; n < names.count; n++)
			assert_true(str_cmp(names.items[n - 1], names.items[n]) < 0);
	}
	arena_clear(&arena);
}

static void an_empty_beginning_lists_every_name(void **state)
{
	const struct fixture *fixture = *state;
	struct arena arena = ARENA_INIT(1 << 20);
	struct name_list names = { 0 };
	struct err err = { 0 };

	assert_int_equal(opdb_names_with_prefix(fixture->db, STR(""), &arena, &names, &err), 0);
	assert_int_equal(names.count, opdb_info(fixture->db)->names);
	arena_clear(&arena);
	arena.max_bytes = 1000;
	assert_int_equal(opdb_names_with_prefix(fixture->db, STR(""), &arena, &names, &err), -ERR_LIMIT);
	arena_clear(&arena);
}

static void a_misspelt_name_has_near_ones(void **state)
{
	static const struct {
		const char *name, *best;
	} cases[] = {
		{ "aten::covn2d", "aten::conv2d" },
		{ "aten::_log_sofmax", "aten::_log_softmax" },
		{ "npu::npu_fusion_atention", "npu::npu_fusion_attention" },
		{ "completely::different", NULL },
	};
	const struct fixture *fixture = *state;
	struct arena arena = ARENA_INIT(4 << 20);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct name_list names;
		struct err err = { 0 };

		assert_int_equal(opdb_nearest_names(fixture->db, str_from(cases[i].name), &arena, &names, &err), 0);
		assert_int_equal(names.count > 0, cases[i].best != NULL);
		if (cases[i].best)
			assert_str(names.items[0], cases[i].best);
	}
	arena_clear(&arena);
}

static void a_name_tells_which_versions_of_pytorch_have_it(void **state)
{
	static const struct {
		const char *ns, *base, *known_in;
	} cases[] = {
		{ "aten", "add", "1.8.1..2.15.0" },
		{ "aten", "lift_fresh", "1.13.0..2.15.0" },
		{ "aten", "nothing", "" },
		{ "aten", "cudnn_convolution_backward_input", "1.8.1" },
		{ "npu", "npu_fusion_attention", "" },
	};
	const struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct str known_in;
		struct err err = { 0 };

		assert_int_equal(resolve_known_in(fixture->resolver, str_from(cases[i].ns), str_from(cases[i].base),
					 &known_in, &err),
			0);
		assert_str(known_in, cases[i].known_in);
	}
}

static void tags_tell_which_shapes_depend_on_data(void **state)
{
	static const struct {
		const char *base;
		unsigned tags;
	} cases[] = {
		{ "nonzero", TAG_DYNAMIC_OUTPUT_SHAPE },
		{ "repeat_interleave", TAG_DYNAMIC_OUTPUT_SHAPE },
		{ "item", TAG_DATA_DEPENDENT_OUTPUT },
		{ "_local_scalar_dense", TAG_DATA_DEPENDENT_OUTPUT },
		{ "add", 0 },
		{ "nothing", 0 },
	};
	const struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = { 0 };
		unsigned tags = 99;

		assert_int_equal(
			resolve_dynamic_tags(fixture->resolver, STR("aten"), str_from(cases[i].base), &tags, &err), 0);
		assert_int_equal(tags, cases[i].tags);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_listed_in_order_by_their_beginning),
		cmocka_unit_test(an_empty_beginning_lists_every_name),
		cmocka_unit_test(a_misspelt_name_has_near_ones),
		cmocka_unit_test(a_name_tells_which_versions_of_pytorch_have_it),
		cmocka_unit_test(tags_tell_which_shapes_depend_on_data),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
