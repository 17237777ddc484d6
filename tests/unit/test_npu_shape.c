/* Shapes of torch_npu's tables become those of PyTorch's. */
#include "dump/npu/cann.h"
#include "op/shape.h"
#include "tests/unit/check.h"

static void shapes_are_spelt_as_in_tables(void **state)
{
	static const struct {
		const char *text, *shapes; /* NULL: refused */
	} cases[] = {
		{ "4,12,32;\r\n32,32;\r\n;\r\n", "[[4, 12, 32], [32, 32], [], []]" },
		{ "4,12;\r\n8", "[[4, 12], [8]]" },
		{ "64", "[[64]]" },
		{ "64;", "[[64], []]" },
		{ "4;2;2", "[[4], [2], [2]]" },
		{ ";\r\n;\r\n3,-1", "[[], [], [3, -1]]" },
		{ ";\n; 3", "[[], [], [3]]" },
		{ "", "[[]]" },
		{ "4,", NULL },
		{ ",4", NULL },
		{ "4,,4", NULL },
		{ "4 4", NULL },
		{ "-", NULL },
		{ "4;-", NULL },
		{ "4-4", NULL },
		{ "x", NULL },
		{ "4.5", NULL },
		{ "<b>", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf shapes = BUF_INIT(1000);
		bool good = npu_shape_put(&shapes, str_from(cases[i].text));

		if (good != (cases[i].shapes != NULL))
			fail_msg("\"%s\" is %s", cases[i].text, good ? "taken" : "refused");
		if (good)
			assert_str(buf_str(&shapes), cases[i].shapes);
	}
}

static void lists_of_python_are_spelt_alike(void **state)
{
	CLEANUP(buf_clear) struct buf shapes = BUF_INIT(1000);

	assert_true(shape_put_spaced(&shapes, STR("[[2,3],[ ],[4, 5]]")));
	assert_str(buf_str(&shapes), "[[2, 3], [], [4, 5]]");
	assert_false(shape_put_spaced(&shapes, STR("[[2,3],[4")));
	assert_false(shape_put_spaced(&shapes, STR("")));
	assert_false(shape_put_spaced(&shapes, STR("[[x]]")));
	assert_str(buf_str(&shapes), "[[2, 3], [], [4, 5]]");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes_are_spelt_as_in_tables),
		cmocka_unit_test(lists_of_python_are_spelt_alike),
	};

	return run_group(tests);
}
