#include "assess/judge/call_test.h"
#include "base/memory/arena.h"
#include "base/memory/mem.h"
#include "tests/unit/check.h"

static const char gather[] = "(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor";
static const char index_tensors[] = "(Tensor self, Tensor?[] indices) -> Tensor";
static const char join[] = "(Tensor[] tensors, int dim=0) -> Tensor";
static const char copy[] = "(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)";
static const char draw_number[] = "(Tensor self, float p, *, Generator? generator=None) -> Tensor";
static const char draw_tensor[] = "(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor";
static const char draw_self[] = "(Tensor self, *, Generator? generator=None) -> Tensor";
static const char pad[] = "(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor";
static const char unique[] = "(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)";

static const struct {
	const char *test, *signature, *shapes, *dtypes, *values, *strides;
	enum holds holds;
} cases[] = {
	{ "", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "", HOLDS_MAYBE },
	{ "?", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "", HOLDS_MAYBE },
	{ "never:self", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "",
		HOLDS_MAYBE },
	{ "rank:self>x", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "",
		HOLDS_MAYBE },
	{ "rank:nobody>1", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "",
		HOLDS_MAYBE },
	{ "rank:self>1", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "",
		HOLDS },
	{ "rank:self>2 count:self>31", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']",
		"", "", HOLDS },
	{ "rank:self>2&count:self>31", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']",
		"", "", HOLDS_NOT },
	{ "count:self>31&?", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "",
		HOLDS_MAYBE },
	{ "count:self>9", gather, "[[99999999, 99999999, 99999999], [], [1, 1, 1], []]",
		"['float', 'Scalar', 'long int', 'Scalar']", "", "", HOLDS },
	{ "outside:self,index@dim", gather, "[[4, 8], [], [4, 2], []]", "['float', 'Scalar', 'long int', 'Scalar']",
		"[\"\", \"-1\", \"\", \"False\"]", "", HOLDS_NOT },
	{ "outside:self,index@dim", gather, "[[4, 8], [], [4, 2], []]", "['float', 'Scalar', 'long int', 'Scalar']",
		"[\"\", \"0\", \"\", \"False\"]", "", HOLDS },
	{ "outside:self,index@dim", gather, "[[4, 8], [], [4, 2], []]", "['float', 'Scalar', 'long int', 'Scalar']",
		"[\"\", \"2\", \"\", \"False\"]", "", HOLDS_MAYBE }, /* no such dimension */
	{ "outside:self,index@dim", gather, "[[4, 8], [], [4, 2], []]", "['float', 'Scalar', 'long int', 'Scalar']", "",
		"", HOLDS_MAYBE },
	{ "outside:self,index@dim", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "",
		"", HOLDS_NOT },
	{ "middle:self@dim", gather, "[[4, 8, 2], [], [4, 8, 2], []]", "['float', 'Scalar', 'long int', 'Scalar']",
		"[\"\", \"-2\", \"\", \"False\"]", "", HOLDS },
	{ "middle:self@dim", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "",
		HOLDS_NOT },
	{ "length:self@1<9", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "",
		HOLDS },
	{ "takes:index,int32,int64", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']",
		"", "", HOLDS_NOT },
	{ "takes:index,int32", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "",
		HOLDS },
	{ "takes:index,int32&?", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "",
		"", HOLDS_MAYBE },
	{ "takes:dim,int32", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "",
		HOLDS_MAYBE },
	{ "takes:index,nothing", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "",
		"", HOLDS_MAYBE },
	{ "value:dim>1", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']",
		"[\"\", \"2\", \"\", \"False\"]", "", HOLDS },
	{ "value:dim>1", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']",
		"[\"\", \"1\", \"\", \"False\"]", "", HOLDS_NOT },
	{ "value:dim>1", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "",
		HOLDS_MAYBE },
	{ "always", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "", HOLDS },
	{ "types:self,index", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "",
		HOLDS },
	{ "types:self,dim", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "",
		HOLDS_MAYBE },
	{ "unless:sort,op", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "",
		HOLDS_NOT },
	{ "unless:sort", gather, "[[4, 8], [], [4, 8], []]", "['float', 'Scalar', 'long int', 'Scalar']", "", "",
		HOLDS_MAYBE },
	{ "unequal:indices", index_tensors, "[[9, 9], [[3], [3]]]", "['float', 'TensorList']", "", "", HOLDS_NOT },
	{ "unequal:indices", index_tensors, "[[9, 9], [[3], [3, 1]]]", "['float', 'TensorList']", "", "", HOLDS },
	{ "unequal:indices", index_tensors, "[[9, 9], []]", "['float', 'TensorList']", "", "", HOLDS_MAYBE },
	{ "gap:indices", index_tensors, "[[9, 9, 9], [[], [3], [3]]]", "['float', 'TensorList']", "", "", HOLDS_NOT },
	{ "gap:indices", index_tensors, "[[9, 9, 9], [[3], [], [3]]]", "['float', 'TensorList']", "", "", HOLDS },
	{ "beyond:dim,tensors", join, "[[[0], [2, 4, 8]], []]", "['TensorList', 'Scalar']", "[\"\", \"-2\"]", "",
		HOLDS },
	{ "beyond:dim,tensors", join, "[[[2, 4], [2, 4]], []]", "['TensorList', 'Scalar']", "[\"\", \"1\"]", "",
		HOLDS_NOT },
	{ "beyond:dim,tensors", join, "[[[0], [2, 4, 8]], []]", "['TensorList', 'Scalar']", "", "", HOLDS_MAYBE },
	{ "bool:indices", index_tensors, "[[9], [[9]]]", "['Tensor(float)', 'GenericList[Tensor(bool)]']", "", "",
		HOLDS },
	{ "bool:indices", index_tensors, "[[9], [[9]]]", "['Tensor(float)', 'GenericList[Tensor(long int)]']", "", "",
		HOLDS_NOT },
	{ "differs:self,src", copy, "[[4, 8], [8], []]", "['float', 'float', 'Scalar']", "", "", HOLDS },
	{ "strided:self", copy, "[[4, 8], [8], []]", "['float', 'float', 'Scalar']", "", "[[8, 1], [1], []]",
		HOLDS_NOT },
	{ "strided:self", copy, "[[4, 8], [8], []]", "['float', 'float', 'Scalar']", "", "[[9, 1], [1], []]",
		HOLDS_NOT },
	{ "strided:self", copy, "[[2, 4, 8], [8], []]", "['float', 'float', 'Scalar']", "", "[[64, 16, 1], [1], []]",
		HOLDS_NOT },
	{ "strided:self", copy, "[[2, 4, 8], [8], []]", "['float', 'float', 'Scalar']", "", "[[99, 16, 1], [1], []]",
		HOLDS },
	{ "strided:self", copy, "[[2, 4, 8], [8], []]", "['', 'float', 'Scalar']", "", "[[99, 16, 1], [1], []]",
		HOLDS_MAYBE }, /* of which type */
	{ "strided:self", copy, "[[2, 4, 32], [8], []]", "['float', 'float', 'Scalar']", "", "[[299, 64, 1], [1], []]",
		HOLDS_NOT }, /* long rows */
	{ "strided:self", copy, "[[2, 4, 32], [8], []]", "['double', 'float', 'Scalar']", "", "[[299, 64, 1], [1], []]",
		HOLDS },
	{ "strided:self", copy, "[[2, 2, 2, 2, 32], [8], []]", "['float', 'float', 'Scalar']", "",
		"[[9999, 1999, 299, 64, 1], [1], []]", HOLDS }, /* five dimensions that do not join */
	{ "strided:self", copy, "[[2, 2, 2, 2, 32], [8], []]", "['float', 'float', 'Scalar']", "",
		"[[3998, 1999, 299, 64, 1], [1], []]", HOLDS_NOT }, /* the outer two join */
	{ "strided:self", copy, "[[4, 8], [8], []]", "['float', 'float', 'Scalar']", "", "[[16, 2], [1], []]",
		HOLDS_NOT }, /* every second element */
	{ "strided:self", copy, "[[4, 8], [8], []]", "['float', 'float', 'Scalar']", "", "[[17, 2], [1], []]", HOLDS },
	{ "strided:self", copy, "[[4, 8], [8], []]", "['float', 'float', 'Scalar']", "", "[[4, 1], [1], []]",
		HOLDS }, /* rows that overlap */
	{ "strided:self", copy, "[[3, 8, 2], [8], []]", "['float', 'float', 'Scalar']", "", "[[16, 1, 8], [1], []]",
		HOLDS_NOT }, /* pairs turned round */
	{ "strided:self", copy, "[[3, 7, 2], [8], []]", "['float', 'float', 'Scalar']", "", "[[15, 1, 7], [1], []]",
		HOLDS_MAYBE }, /* that do not fill a block */
	{ "strided:self", copy, "[[1, 8, 5], [8], []]", "['float', 'float', 'Scalar']", "", "[[1, 1, 8], [1], []]",
		HOLDS_NOT }, /* a plain transposition */
	{ "strided:self", copy, "[[4, 8], [8], []]", "['double', 'float', 'Scalar']", "", "[[8, 1], [1], []]",
		HOLDS_NOT },
	{ "strided:self", copy, "[[99999999, 99999999, 99999999], [8], []]", "['float', 'float', 'Scalar']", "",
		"[[99999999, 99999999, 3], [1], []]", HOLDS },
	{ "strided:self", copy, "[[4, 8], [8], []]", "['float', 'float', 'Scalar']", "", "[[1, 4], [1], []]",
		HOLDS_MAYBE },
	{ "strided:self", copy, "[[4, 8], [8], []]", "['float', 'float', 'Scalar']", "", "", HOLDS_MAYBE },
	{ "strided:self", copy, "[[4, 8], [8], []]", "['float', 'float', 'Scalar']", "", "[[-9, 1], [1], []]",
		HOLDS_MAYBE },
	{ "strided:self", copy, "[[99999999, 99999999, 99999999], [8], []]", "['float', 'float', 'Scalar']", "",
		"[[-5, 1, 1], [1], []]", HOLDS_MAYBE },
	{ "true:return_inverse", unique, "[[4], [], []]", "['float', 'Scalar', 'Scalar']",
		"[\"\", \"True\", \"False\"]", "", HOLDS_NOT },
	{ "true:return_inverse", unique, "[[4], [], []]", "['float', 'Scalar', 'Scalar']",
		"[\"\", \"False\", \"True\"]", "", HOLDS },
	{ "false:return_inverse", unique, "[[4], [], []]", "['float', 'Scalar', 'Scalar']",
		"[\"\", \"True\", \"False\"]", "", HOLDS },
	{ "false:return_inverse", unique, "[[4], [], []]", "['float', 'Scalar', 'Scalar']",
		"[\"\", \"False\", \"True\"]", "", HOLDS_NOT },
	{ "false:return_inverse", unique, "[[4], [], []]", "['float', 'Scalar', 'Scalar']", "", "", HOLDS_MAYBE },
	{ "missing:generator", draw_self, "[[4], []]", "['float', '']", "", "", HOLDS_MAYBE },
	{ "missing:generator", draw_self, "[[4], []]", "['float', 'None']", "", "", HOLDS },
	{ "missing:self", draw_self, "[[4], []]", "['float', '']", "", "", HOLDS_NOT },
	{ "missing:weights", draw_self, "[[4], []]", "['float', '']", "", "", HOLDS_MAYBE },
	{ "true:return_counts", unique, "[[4], [], []]", "['float', 'Scalar', 'Scalar']", "", "", HOLDS_NOT },
	{ "tensor:p absent:p", draw_number, "[[4], [], []]", "['float', 'Scalar', '']", "[\"\", \"0.5\", \"\"]", "",
		HOLDS_NOT },
	{ "tensor:p absent:p", draw_tensor, "[[4], [4], []]", "['float', 'float', '']", "", "", HOLDS },
	{ "tensor:p absent:p", draw_self, "[[4], []]", "['float', '']", "", "", HOLDS },
	{ "most:padding>7", pad, "[[4, 8], [4], []]", "['float', 'float', 'ScalarList']", "[\"\", \"\", \"[1, 8]\"]",
		"", HOLDS },
	{ "most:padding>7", pad, "[[4, 8], [4], []]", "['float', 'float', 'ScalarList']", "[\"\", \"\", \"[1, 7]\"]",
		"", HOLDS_NOT },
	{ "most:padding>7", pad, "[[4, 8], [4], []]", "['float', 'float', 'ScalarList']", "[\"\", \"\", \"[1, x]\"]",
		"", HOLDS_MAYBE },
	{ "most:padding>7", pad, "[[4, 8], [4], []]", "['float', 'float', 'ScalarList']", "", "", HOLDS_MAYBE },
	{ "only:other,another", copy, "[[4], [4], []]", "['float', 'float', 'Scalar']", "", "", HOLDS_NOT },
	{ "given:weights", unique, "[[4], [], []]", "['float', 'Scalar', 'Scalar']", "", "", HOLDS_NOT },
	{ "given:self", unique, "[[4], [], []]", "['float', 'Scalar', 'Scalar']", "", "", HOLDS },
};

static void a_test_holds_of_a_call_or_not_and_else_may(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		struct schema_param params[CALL_ARGUMENTS];
		struct shape sizes, strides;
		struct call call;
		size_t count;
		struct tested_call tested = {
			.base = STR("op"), .call = &call, .params = params, .sizes = &sizes, .has_masks = HOLDS_MAYBE
		};

		assert_true(schema_params(str_from(cases[i].signature), params, CALL_ARGUMENTS, &count));
		assert_true(call_read(
			str_from(cases[i].shapes), str_from(cases[i].dtypes), str_from(cases[i].values), &call));
		assert_true(shape_parse(&arena, str_from(cases[i].shapes), &sizes));
		if (cases[i].strides[0]) {
			assert_true(shape_parse(&arena, str_from(cases[i].strides), &strides));
			tested.strides = &strides;
		}
		if (call_test(&tested, str_from(cases[i].test)) != cases[i].holds)
			fail_msg("%s of %s %s", cases[i].test, cases[i].shapes, cases[i].values);
		arena_clear(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_test_holds_of_a_call_or_not_and_else_may),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
