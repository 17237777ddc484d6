#include "import/native.h"

#include "tests/unit/check.h"

static const struct {
	const char *base, *op, *expected;
} all[] = {
	{ "f(Tensor self, int n=1) -> Tensor", "f.out", "(Tensor self, int n=1, *, Tensor(a!) out) -> Tensor(a!)" },
	{ "f(Tensor self, *, str s=\"a, *)\") -> (Tensor x, Tensor[] y)", "f.x_out",
		"(Tensor self, *, str s=\"a, *)\", Tensor(a!) out0, Tensor(b!)[] out1) -> ()" },
	{ "f(Tensor self) -> (Tensor, int)", "f.out", "(Tensor self, *, Tensor(a!) out0) -> (Tensor(a!), int)" },
	{ "f(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) "
	  "-> Tensor",
		"f.out", "(int[] size, *, Tensor(a!) out) -> Tensor(a!)" },
	{ "f(int[] size, *, ScalarType? dtype=None) -> Tensor", "f.out",
		"(int[] size, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)" },
	{ "f_(Tensor(a!) self, Tensor p) -> Tensor(a!)", "f.out",
		"(Tensor self, Tensor p, *, Tensor(a!) out) -> Tensor(a!)" },
	{ "f_(Tensor(a!) self, Tensor p) -> Tensor(a!)", "f", "(Tensor self, Tensor p) -> Tensor" },
	{ "f_(Tensor(a!)[] self, Tensor(b!) found) -> ()", "f.out",
		"(Tensor[] self, Tensor(b!) found, *, Tensor(a!)[] out) -> ()" },
	{ "f_(Tensor(a!)[] self, Tensor(b!) found) -> ()", "f",
		"(Tensor[] self, Tensor found) -> (Tensor[] self_out, Tensor found_out)" },
	{ "f_(Tensor(a!)[] self) -> ()", "f", "(Tensor[] self) -> Tensor[] self_out" },
	{ "f(Tensor self, Tensor(a!) state) -> Tensor", "f.out",
		"(Tensor self, Tensor(a!) state, *, Tensor(b!) out) -> Tensor(b!)" },
	{ "f(Tensor self, Tensor(a!) state) -> Tensor", "f_functional",
		"(Tensor self, Tensor state) -> (Tensor, Tensor state_out)" },
	{ "f(Tensor(a -> *) self) -> Tensor(a)[]", "f.out", "(Tensor self, *, Tensor(a!)[] out) -> ()" },
};

static void signatures_follow_from_the_base(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct buf text = BUF_INIT(4096);
		struct schema schema;
		const char *wrong;
		size_t at;

		assert_true(schema_parse(str_from(all[i].base), &schema, &wrong, &at));
		assert_true(generated_signature(&schema, str_from(all[i].op), &text));
		assert_str(buf_str(&text), all[i].expected);
		buf_clear(&text);
	}
}

static void more_results_than_letters_are_refused(void **state)
{
	struct buf text = BUF_INIT(4096), signature = BUF_INIT(4096);
	struct schema schema;
	const char *wrong;
	size_t at;

	buf_add(&text, STR("f() -> (Tensor"));
	for (unsigned i = 0; i < 26; i++)
		buf_add(&text, STR(", Tensor"));
	buf_byte(&text, ')');
	assert_true(schema_parse(buf_str(&text), &schema, &wrong, &at));
	assert_false(generated_signature(&schema, STR("f.out"), &signature));
	assert_int_equal(signature.len, 0);
	buf_clear(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signatures_follow_from_the_base),
		cmocka_unit_test(more_results_than_letters_are_refused),
	};

	return run_group(tests);
}
