/* Names: every one has a class, and the parts of an operator make its name again. */
#include "base/view/ascii.h"
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "op/name.h"
#include "tests/fuzz/fuzz.h"

static void hold_operator(struct str text, const struct name *name)
{
	CLEANUP(buf_clear) struct buf full = BUF_INIT(1 << 20);

	name_put(&full, name);
	HOLD(name->ns.len && name->base.len);
	HOLD(is_lower(name->base.ptr[0]) || name->base.ptr[0] == '_' || str_eq(name->ns, STR("fbgemm")));
	for (size_t i = 0; i < name->base.len; i++)
		HOLD(is_word(name->base.ptr[i]));
	HOLD(name->guessed || str_has(text, buf_str(&full)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	unsigned choice = fuzz_byte(&text);
	struct name_style style = { .bare = choice & 1, .cut = choice & 2 };
	struct name name;
	size_t bad_at;

	if (!utf8_valid(text, &bad_at))
		return 0;
	name = name_classify(text, style);
	HOLD(name_class_text(name.name_class));
	HOLD(!name.compiling || name.compiled);
	if (name.name_class == NAME_OPERATOR)
		hold_operator(text, &name);
	else
		HOLD(!name.ns.len && !name.base.len && !name.overload.len);
	return 0;
}
