#include "opdb/model/name_list.h"

#include "base/memory/mem.h"
#include "tests/unit/check.h"

static void a_list_has_the_names_that_its_patterns_fit_and_no_others(void **state)
{
	static const struct {
		enum name_list list;
		const char *on, *off;
	} cases[] = {
		{ NAMES_DATA, "grad_output", "mask" },
		{ NAMES_DEVICE, "aten::_foreach_add_", "aten::add" },
		{ NAMES_DEVICE, "npu::npu_format_cast", "npus::x" },
		{ NAMES_DEVICE, "aten::_to_cpu", "aten::_to_cpu_" },
		{ NAMES_MAKES_SPARSE, "aten::_to_sparse", "aten::_sparse_mm" },
		{ NAMES_SELECTS, "indices", "self" },
		{ NAMES_SLOW_BOOL, "cumsum", "sort_" },
		{ NAMES_SLOW_INT64, "searchsorted", "add" },
		{ NAMES_SPARSE, "aten::_sparse_mm", "sparse::mm" },
		{ NAMES_SPARSE, "aten::values", "aten::values_" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		if (!name_is_listed(cases[i].list, str_from(cases[i].on)) ||
			name_is_listed(cases[i].list, str_from(cases[i].off)))
			fail_msg("%s, %s", cases[i].on, cases[i].off);
	}
	for (unsigned list = 0; list < NAME_LISTS; list++)
		assert_false(name_is_listed(list, STR("")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_has_the_names_that_its_patterns_fit_and_no_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
