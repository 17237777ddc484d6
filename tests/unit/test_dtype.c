/* Data types as documents list them, as people name them, and as profilers write them. */
#include "opdb/model/dtype.h"

#include "tests/unit/check.h"

static void lists_are_strict(void **state)
{
	unsigned types;

	(void)state;
	assert_true(dtypes_from(STR("bf16 fp16 fp32"), &types));
	assert_int_equal(types, DTYPE_BF16 | DTYPE_FP16 | DTYPE_FP32);
	assert_true(dtypes_from(STR(""), &types));
	assert_int_equal(types, 0);
	assert_false(dtypes_from(STR("fp32 fp31"), &types));
}

static void every_name_is_read_back(void **state)
{
	(void)state;
	for (unsigned i = 0; i < DTYPE_COUNT; i++)
		assert_int_equal(dtype_from(dtype_name(i)), 1u << i);
	assert_int_equal(dtype_from(STR("c10::BFloat16")), DTYPE_BF16);
	assert_int_equal(dtype_from(STR("long int")), DTYPE_INT64);
	assert_int_equal(dtype_from(STR("Scalar")), 0);
}

static void a_sentence_tells_what_is_refused(void **state)
{
	static const struct {
		const char *sentence;
		unsigned refused, accepted;
	} cases[] = {
		{ "fp16/fp32 ok, bf16 rejected", DTYPE_BF16, DTYPE_FP16 | DTYPE_FP32 },
		{ "bool must be cast to uint8 first", DTYPE_BOOL, 0 },
		{ "fp64 silently replaced by fp32 with a warning", DTYPE_FP64, 0 },
		{ "only bool/uint8 accepted (attention mask int64)", DTYPE_INT64, DTYPE_BOOL | DTYPE_UINT8 },
		{ "complex64 rejected; index_select on complex works", DTYPE_COMPLEX64, DTYPE_COMPLEX128 },
		{ "the path has no fp64", DTYPE_FP64, 0 },
		{ "a float and an int in a long sentence", 0, 0 },
		{ "", 0, 0 },
		{ "((;,:", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct dtypes_named told = dtypes_named(str_from(cases[i].sentence));

		if (told.refused != cases[i].refused || told.accepted != cases[i].accepted)
			fail_msg("%s: refused %#x, accepted %#x", cases[i].sentence, told.refused, told.accepted);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_strict),
		cmocka_unit_test(every_name_is_read_back),
		cmocka_unit_test(a_sentence_tells_what_is_refused),
	};

	return run_group(tests);
}
