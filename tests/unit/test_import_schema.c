#include "import/tree.h"

#include "tests/unit/check.h"

static const struct {
	const char *text, *op;
	enum schema_kind kind;
	bool is_view;
} good[] = {
	{ "add", "add", SCHEMA_FUNCTIONAL, false },
	{ "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", "add.Tensor", SCHEMA_FUNCTIONAL,
		false },
	{ "add_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", "add_.Tensor", SCHEMA_INPLACE, false },
	{ "add.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "add.out", SCHEMA_OUT, false },
	{ "_amp_update(Tensor(a!) self, Tensor(b!) scale) -> ()", "_amp_update", SCHEMA_MUTABLE, false },
	{ "__iand__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", "__iand__.Scalar", SCHEMA_INPLACE, false },
	{ "__and__.Scalar(Tensor self, Scalar other) -> Tensor", "__and__.Scalar", SCHEMA_FUNCTIONAL, false },
	{ "split(Tensor(a -> *) self, SymInt[] sizes, int dim=0) -> Tensor(a)[]", "split", SCHEMA_FUNCTIONAL, true },
	{ "t(Tensor(a) self) -> Tensor(a)", "t", SCHEMA_FUNCTIONAL, true },
	{ "to(Tensor(a|b) self) -> Tensor(a|b)", "to", SCHEMA_FUNCTIONAL, true },
	{ "empty(int[] size, *, Dimname[]? names, MemoryFormat? memory_format=None) -> Tensor", "empty",
		SCHEMA_FUNCTIONAL, false },
	{ "text(str a=\"\\\"'\\\\\", str b='\"\\'\\\\', int[] c=[1, 2]) -> (Tensor, int)", "text", SCHEMA_FUNCTIONAL,
		false },
	{ "cell(__torch__.torch.classes.rnn.Cell[] hx) -> Tensor", "cell", SCHEMA_FUNCTIONAL, false },
	{ "nothing() -> ()", "nothing", SCHEMA_FUNCTIONAL, false },
};

static const char *const bad[] = { "", ".", "a.", ".a", "a.b.c", "1a", "a b", "a(", "a()", "a() ->", "a() -> (",
	"a() -> (Tensor", "a(Tensor) -> ()", "a(Tensor self", "a(Tensor self,) -> ()", "a(Tensor self) -> Nothing",
	"a(Tensor[ self) -> ()", "a(Tensor(A) self) -> ()", "a(Tensor(a self -> ()", "a(int x=) -> ()",
	"a(str x='y) -> ()", "a(int x) -> int y z", "a(Tensor self) Tensor" };

static void good_ones_are_understood(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct schema schema;
		const char *wrong;
		size_t at;

		if (!schema_parse(str_from(good[i].text), &schema, &wrong, &at))
			fail_msg("%s: %s at %zu", good[i].text, wrong, at);
		assert_str(schema.op, good[i].op);
		assert_int_equal(schema.kind, good[i].kind);
		assert_int_equal(schema.is_view, good[i].is_view);
		assert_int_equal(schema.op.len + schema.signature.len, strlen(good[i].text));
	}
}

static void bad_ones_are_refused_inside_the_text(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct schema schema = { 0 };
		const char *wrong = NULL;
		size_t at = SIZE_MAX;

		if (schema_parse(str_from(bad[i]), &schema, &wrong, &at))
			fail_msg("%s was understood", bad[i]);
		assert_non_null(wrong);
		assert_true(at <= strlen(bad[i]));
		assert_null(schema.op.ptr);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_ones_are_understood),
		cmocka_unit_test(bad_ones_are_refused_inside_the_text),
	};

	return run_group(tests);
}
