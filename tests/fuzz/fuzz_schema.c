/*
 * Operators' signatures: what is understood has all its parts, what is not is pointed at inside the text, and what is generated from
 * one is understood again.
 */
#include "import/native.h"
#include "import/tree.h"
#include "tests/fuzz/fuzz.h"

static void hold_generated(const struct schema *base, struct str op)
{
	struct buf text = BUF_INIT(1 << 20);
	struct schema schema;
	const char *wrong;
	size_t at;

	buf_add(&text, op);
	if (generated_signature(base, op, &text))
		HOLD(schema_parse(buf_str(&text), &schema, &wrong, &at) && str_eq(schema.op, op));
	buf_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	struct schema schema = { 0 };
	const char *wrong = NULL;
	size_t at = SIZE_MAX;

	if (schema_parse(text, &schema, &wrong, &at)) {
		HOLD(!wrong && schema_is_name(schema.op) && schema_kind_name(schema.kind).len);
		HOLD(!schema.signature.len || schema.signature.ptr[0] == '(');
		HOLD(schema.signature.len + schema.op.len <= size);
		if (schema.signature.len) {
			hold_generated(&schema, STR("op.out"));
			hold_generated(&schema, STR("op"));
		}
	} else {
		HOLD(wrong && at <= size && !schema.op.ptr);
	}
	return 0;
}
