/* Operators' signatures: the arguments of one that is understood have names inside of it. */
#include "base/view/ascii.h"
#include "op/schema.h"
#include "tests/fuzz/fuzz.h"

enum { PARAMS = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size), op = str_head(text, '(');
	struct schema_param params[PARAMS];
	size_t count = 0;

	HOLD(!schema_is_name(op) || (op.len && str_is_word(op, ".") && !is_digit(op.ptr[0])));
	if (!schema_params(str_skip(text, op.len), params, PARAMS, &count))
		return 0;
	HOLD(count <= PARAMS);
	for (size_t i = 0; i < count; i++) {
		HOLD(params[i].name.ptr > text.ptr && params[i].name.ptr + params[i].name.len < text.ptr + size);
		HOLD(params[i].name.len && str_is_word(params[i].name, ""));
		HOLD(!params[i].optional_item || params[i].list);
	}
	return 0;
}
