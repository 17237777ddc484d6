/* Eras as dumps show them, and the targets that are for another version of PyTorch. */
#include "assess/finding/warnings.h"

#include "tests/unit/check.h"

static void an_era_covers_what_lies_in_it(void **state)
{
	static const struct {
		const char *era, *torch;
		bool covers;
	} cases[] = {
		{ "1.6", "1.6.0", true },
		{ "1.6", "1.7.0", false },
		{ "1.10-2.2", "1.10.0", true },
		{ "1.10-2.2", "1.9.1", false },
		{ "1.10-2.2", "2.2.2", true },
		{ "1.10-2.2", "2.3.0", false },
		{ "2.8+", "2.7.1", false },
		{ "2.8+", "2.8.0", true },
		{ "2.8+", "2.13.0", true },
		{ "", "2.7.1", true },
		{ "2.8+", "", true },
		{ "2.8+", "master", true },
		{ "old", "2.7.1", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		if (era_covers(str_from(cases[i].era), str_from(cases[i].torch)) != cases[i].covers)
			fail_msg("%s and %s", cases[i].era, cases[i].torch);
	}
}

static void each_era_is_told_once_with_the_first_other_target(void **state)
{
	struct result_input inputs[] = { { .torch_era = STR("2.8+") }, { .torch_era = STR("2.8+") },
		{ .torch_era = STR("") }, { .torch_era = STR("1.10-2.7") } };
	struct result_target targets[] = { { .id = STR("npu@v2.8.0"), .torch = STR("2.8.0") },
		{ .id = STR("musa@v2.7.1"), .torch = STR("2.7.1") },
		{ .id = STR("npu@v2.1.0"), .torch = STR("2.1.0") } };
	struct result result = { .arena = ARENA_INIT(ARENA_UNLIMITED),
		.inputs = inputs,
		.input_count = ARRAY_SIZE(inputs),
		.targets = targets,
		.target_count = ARRAY_SIZE(targets) };

	warn_of_versions(&result);
	assert_int_equal(result.warning_count, 2);
	assert_string_equal(result.warnings[0].id, "version-mismatch");
	assert_str(result.warnings[0].params[0].value, "2.8+");
	assert_str(result.warnings[0].params[1].value, "2");
	assert_str(result.warnings[0].params[2].value, "3");
	assert_str(result.warnings[0].params[3].value, "musa@v2.7.1");
	assert_str(result.warnings[1].params[3].value, "npu@v2.8.0");
	arena_clear(&result.arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_era_covers_what_lies_in_it),
		cmocka_unit_test(each_era_is_told_once_with_the_first_other_target),
	};

	return run_group(tests);
}
