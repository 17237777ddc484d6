#include "op/schema.h"

#include "base/memory/mem.h"
#include "tests/unit/check.h"

enum { PARAMS = 4 };

static const struct {
	const char *signature;
	size_t count;
} good[] = {
	{ "(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", 3 },
	{ "(Tensor(a -> *) self, SymInt[] sizes, int dim=0) -> Tensor(a)[]", 3 },
	{ "(Tensor(a|b) self) -> Tensor(a|b)", 1 },
	{ "(int[] size, *, Dimname[]? names, MemoryFormat? memory_format=None) -> Tensor", 3 },
	{ "(str a=\"\\\"'\\\\\", str b='\"\\'\\\\', int[] c=[1, 2]) -> (Tensor, int)", 3 },
	{ "(__torch__.torch.classes.rnn.Cell[] hx) -> Tensor", 1 },
	{ "() -> ()", 0 },
};

static const char *const bad[] = { "", "(", "(Tensor) -> ()", "(Tensor self", "(Tensor self,) -> ()",
	"(Tensor[ self) -> ()", "(int[x] self) -> ()", "(Tensor(A) self) -> ()", "(Tensor(a self -> ()",
	"(Nothing self) -> ()", "(int x=) -> ()", "(str x='y) -> ()", "(int[] x=[1) -> ()",
	"(int a, int b, int c, int d, int e) -> ()" };

static void good_signatures_are_understood(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct schema_param params[PARAMS];
		size_t count;

		if (!schema_params(str_from(good[i].signature), params, PARAMS, &count))
			fail_msg("%s is not understood", good[i].signature);
		assert_int_equal(count, good[i].count);
	}
}

static void bad_signatures_are_refused(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct schema_param params[PARAMS];
		size_t count;

		if (schema_params(str_from(bad[i]), params, PARAMS, &count))
			fail_msg("%s was understood", bad[i]);
	}
}

static void names_have_at_most_one_point(void **state)
{
	static const char *const names[] = { "add", "add.Tensor", "__iand__.Scalar", "_x" };
	static const char *const others[] = { "", ".", "a.", ".a", "a.b.c", "1a", "a b", "a(" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_true(schema_is_name(str_from(names[i])));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_false(schema_is_name(str_from(others[i])));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_signatures_are_understood),
		cmocka_unit_test(bad_signatures_are_refused),
		cmocka_unit_test(names_have_at_most_one_point),
	};

	return run_group(tests);
}
