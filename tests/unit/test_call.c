#include "op/call.h"

#include "tests/unit/check.h"

static const char add_tensor[] = "(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";
static const char add_scalar[] = "(Tensor self, Scalar other, Scalar alpha=1) -> Tensor";
static const char add_out[] = "(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)";
static const char index_tensor[] = "(Tensor self, Tensor?[] indices) -> Tensor";
static const char cat[] = "(Tensor[] tensors, int dim=0) -> Tensor";
static const char linear[] = "(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor";
static const char mean_dim[] = "(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor";
static const char gelu[] = "(Tensor self, *, str approximate='none') -> Tensor";
static const char random_from[] = "(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)";
static const char view[] = "(Tensor(a) self, SymInt[] size) -> Tensor(a)";
static const char dropout[] = "(Tensor input, float p, bool train) -> Tensor";

static const struct {
	const char *shapes, *dtypes, *concrete, *signature;
	enum call_fit fit;
} cases[] = {
	{ "[[2, 3], [2, 3], []]", "", "", add_tensor, CALL_FITS },
	{ "[[2, 3], [2, 3], []]", "", "", add_scalar, CALL_FITS_NOT },
	{ "[[2, 3], [2, 3], []]", "", "", add_out, CALL_FITS_NOT },
	{ "[[2, 3], [2, 3], [], [2, 3]]", "", "", add_out, CALL_FITS },
	{ "[[2, 3], [2, 3], [], []]", "", "", add_out, CALL_FITS_LOOSELY },
	{ "[[2, 3], [2, 3], [], []]", "['float', 'float', 'Scalar', 'float']", "", add_out, CALL_FITS },
	{ "[[2, 3], [], []]", "", "", add_tensor, CALL_FITS },
	{ "[[2, 3], [], []]", "", "", add_scalar, CALL_FITS },
	{ "[[2, 3], [], []]", "[\"float\", \"Scalar\", \"Scalar\"]", "", add_tensor, CALL_FITS_NOT },
	{ "[[2, 3], [], []]", "['float', 'double', 'Scalar']", "", add_tensor, CALL_FITS },
	{ "[[2, 3], [], []]", "['float', 'double', 'Scalar']", "", add_scalar, CALL_FITS_NOT },
	{ "", "['float', 'double', 'Scalar']", "", add_tensor, CALL_FITS },
	{ "[[2, 3], [2, 3], [64", "", "", add_out, CALL_FITS }, /* cut: two arguments are certain */
	{ "[[2, 3], [2, 3", "", "", cat, CALL_FITS_NOT },
	{ "[[[2, 3], [4]], []]", "['TensorList', 'Scalar']", "", cat, CALL_FITS },
	{ "[[], []]", "", "", cat, CALL_FITS },
	{ "[[2], []]", "", "", cat, CALL_FITS_NOT },
	{ "[[[2, 3], []], []]", "", "", add_scalar, CALL_FITS_NOT },
	{ "[[4], []]", "['float', '']", "", index_tensor, CALL_FITS },
	{ "[[4], []]", "['float', 'ScalarList']", "", index_tensor, CALL_FITS }, /* an empty list */
	{ "[[4], [[3]]]", "[\"Tensor(float)\",\"GenericList[Tensor(long int)]\"]", "", index_tensor, CALL_FITS },
	{ "[[4], [[], [3]]]", "[\"Tensor(float)\",\"GenericList[None,Tensor(long int)]\"]", "", index_tensor,
		CALL_FITS },
	{ "[[[2, 3], [4]], []]", "[['float', 'float'], 'Scalar']", "", cat, CALL_FITS }, /* a list of lists of types */
	{ "[[], [2, 3]]", "[[], 'float']", "", add_tensor, CALL_FITS_NOT },
	{ "[[4], [[], [3]]]", "[Tensor(float), GenericList[None,Tensor(long int)]]", "", index_tensor, CALL_FITS },
	{ "[[8, 4], [2, 4], []]", "['float', 'float', '']", "", linear, CALL_FITS },
	{ "[[8, 4], [2, 4], []]", "[\"Tensor(float)\",\"Tensor(float)\",\"None\"]", "", linear, CALL_FITS },
	{ "[[8, 4], [], [], []]", "['float', 'ScalarList', 'Scalar', '']", "", mean_dim, CALL_FITS },
	{ "[[8, 4], [[]], [], []]", "[\"Tensor(float)\",\"GenericList[Int]\",\"Bool\",\"None\"]", "", mean_dim,
		CALL_FITS },
	{ "[[8, 4], [[]], [], []]", "[\"Tensor(float)\",\"GenericList[Int]\",\"Int\",\"None\"]", "", mean_dim,
		CALL_FITS_NOT },
	{ "[[8], []]", "['float', '']", "", gelu, CALL_FITS },
	{ "[[], []]", "['', '']", "", gelu, CALL_FITS_LOOSELY }, /* undefined */
	{ "[[8], []]", "['', '']", "", gelu, CALL_FITS },        /* a tensor whose type nobody told */
	{ "[[8], []]", "['float', 'float']", "", gelu, CALL_FITS_NOT },
	{ "[[8], [], [], []]", "['float', 'Scalar', '', '']", "", random_from, CALL_FITS },
	{ "[[8], []]", "['float', '']", "", view, CALL_FITS_LOOSELY }, /* PyTorch 1.13 has no word for a list */
	{ "[[8], [], []]", "['float', 'Scalar', 'Scalar']", "", dropout, CALL_FITS },
	{ "[[8], [], []]", "['float', 'Scalar', 'Scalar']", "[\"\", \"0.5\", \"True\"]", dropout, CALL_FITS },
	{ "[[8], [], []]", "['float', 'Scalar', 'Scalar']", "[\"\", \"0.5\", \"1\"]", dropout, CALL_FITS_NOT },
	{ "[[8], [], []]", "['float', 'Scalar', 'Scalar']", "[\"\", \"True\", \"True\"]", dropout, CALL_FITS_NOT },
	{ "[[8], [], []]", "['float', 'Double', 'Bool']", "", dropout, CALL_FITS },
};

static void arguments_fit_or_do_not(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct schema_param params[CALL_ARGUMENTS];
		struct call call;
		size_t count;

		assert_true(schema_params(str_from(cases[i].signature), params, CALL_ARGUMENTS, &count));
		assert_true(call_read(
			str_from(cases[i].shapes), str_from(cases[i].dtypes), str_from(cases[i].concrete), &call));
		if (call_fits(&call, params, count) != cases[i].fit)
			fail_msg("%s %s %s and %s", cases[i].shapes, cases[i].dtypes, cases[i].concrete,
				cases[i].signature);
	}
}

static void what_tells_nothing_is_no_call(void **state)
{
	static const char *const texts[] = { "", "[]", "[[", "nonsense", "[[1], x]", "[1]" };
	struct buf many = BUF_INIT(1 << 16);
	struct call call;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_false(call_read(str_from(texts[i]), STR(""), STR(""), &call));
	for (size_t i = 0; i <= CALL_ARGUMENTS; i++)
		buf_printf(&many, "%s[]", i ? ", " : "[");
	buf_byte(&many, ']');
	assert_false(call_read(buf_str(&many), STR(""), STR(""), &call));
	buf_clear(&many);
}

static void lists_that_disagree_are_left_out(void **state)
{
	struct call call;

	assert_true(call_read(STR("[[2], []]"), STR("['float']"), STR("[\"\"]"), &call));
	assert_false(call.typed);
	assert_int_equal(call.count, 2);
	assert_int_equal(call.arguments[0].may, VALUE_TENSOR);
	assert_int_equal(call.arguments[1].may, VALUE_ANY);
}

static void types_are_kept_for_tensors(void **state)
{
	struct call call;

	assert_true(call_read(
		STR("[[2], [], [], []]"), STR("['long int', 'Scalar', '', 'Tensor(c10::Half)']"), STR(""), &call));
	assert_true(call.typed);
	assert_str(call.arguments[0].type, "long int");
	assert_str(call.arguments[1].type, "");
	assert_str(call.arguments[2].type, "");
	assert_str(call.arguments[3].type, "c10::Half");
}

static void tensors_that_may_be_numbers_are_counted(void **state)
{
	static const struct {
		const char *shapes, *dtypes, *signature;
		unsigned guessed;
	} guesses[] = {
		{ "[[2], [2], []]", "", add_tensor, 0 },
		{ "[[2], [], []]", "", add_tensor, 1 },
		{ "[[], [], []]", "", add_tensor, 2 },
		{ "[[2], [], []]", "", add_scalar, 0 },
		{ "[[2], [], []]", "['float', 'double', 'Scalar']", add_tensor, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(guesses); i++) {
		struct schema_param params[CALL_ARGUMENTS];
		struct call call;
		size_t count;

		assert_true(schema_params(str_from(guesses[i].signature), params, CALL_ARGUMENTS, &count));
		assert_true(call_read(str_from(guesses[i].shapes), str_from(guesses[i].dtypes), STR(""), &call));
		assert_int_equal(call_guessed_tensors(&call, params, count), guesses[i].guessed);
	}
}

static void params_say_what_the_text_says(void **state)
{
	struct schema_param params[CALL_ARGUMENTS];
	size_t count;

	assert_true(
		schema_params(STR("(Tensor(a!)[] self, Tensor?[] b, int[2]? c, *, str? d=None, Tensor(a!) out) -> ()"),
			params, CALL_ARGUMENTS, &count));
	assert_int_equal(count, 5);
	assert_true(params[0].list && params[0].written && !params[0].optional && params[0].type == TYPE_TENSOR);
	assert_true(params[1].list && params[1].optional_item && !params[1].optional);
	assert_true(params[2].list && params[2].optional && !params[2].optional_item && params[2].type == TYPE_INT);
	assert_true(params[3].keyword_only && params[3].optional && params[3].type == TYPE_TEXT);
	assert_true(params[4].keyword_only && params[4].written);
	assert_str(params[4].name, "out");
	assert_false(schema_params(STR("(Tensor a, Tensor b) -> ()"), params, 1, &count));
	assert_false(schema_params(STR("(Tensor"), params, CALL_ARGUMENTS, &count));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_fit_or_do_not),
		cmocka_unit_test(what_tells_nothing_is_no_call),
		cmocka_unit_test(lists_that_disagree_are_left_out),
		cmocka_unit_test(types_are_kept_for_tensors),
		cmocka_unit_test(tensors_that_may_be_numbers_are_counted),
		cmocka_unit_test(params_say_what_the_text_says),
	};

	return run_group(tests);
}
