/* Operators' signatures: what is understood has all its parts, what is not is pointed at inside the text. */
#include "import/schema.h"
#include "tests/fuzz/fuzz.h"

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
	} else {
		HOLD(wrong && at <= size && !schema.op.ptr);
	}
	return 0;
}
