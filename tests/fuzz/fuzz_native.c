/* YAML lists of operators: every operator is found again, errors have a place in the file. */
#include "import/native.h"
#include "tests/fuzz/fuzz.h"

static void hold_list(const struct native *native)
{
	struct generated_list generated = { 0 };

	for (size_t i = 0; i < native->count; i++) {
		const struct native_op *op = &native->items[i];

		HOLD(native_find(native, op->schema.op) == op);
		HOLD(!native_is_implicit(op) || native_is_composite(op));
	}
	generated_read(native, STR("2.7.1"), &generated);
	for (size_t i = 0; i < generated.count; i++) {
		HOLD(generated_find(&generated, generated.items[i].op) == &generated.items[i]);
		HOLD(!native_find(native, generated.items[i].op));
	}
	generated_clear(&generated);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { STR("fuzz.yaml"), fuzz_text(data, size) };
	struct arena arena = ARENA_INIT(1 << 24);
	struct native native = { 0 };
	struct err err = { 0 };

	if (native_read(&input, &arena, &native, &err) == 0)
		hold_list(&native);
	else
		HOLD((err.code == ERR_IMPORT || err.code == ERR_LIMIT) && err.where[0] && err.text[0]);
	native_clear(&native);
	arena_clear(&arena);
	return 0;
}
