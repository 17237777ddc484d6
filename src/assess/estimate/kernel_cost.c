#include "assess/estimate/kernel_cost.h"

#include "base/memory/mem.h"
#include "dump/npu/cann.h"
#include "opdb/model/dtype.h"

static struct str without_quotes(struct str text)
{
	while (text.len && text.ptr[0] == '"')
		text = str_skip(text, 1);
	while (text.len && text.ptr[text.len - 1] == '"')
		text = str_chop(text, 1);
	return text;
}

/* "DT_BF16" as PyTorch's profilers have it; what is unknown counts as float, as "UNDEFINED" does. */
static struct str type_word(struct str word)
{
	unsigned types;

	word = str_trim(word);
	if (str_starts(word, STR("DT_")))
		word = str_skip(word, 3);
	types = dtype_from(word);
	return types && !(types & (types - 1)) ? dtype_name((unsigned)__builtin_ctz(types)) : STR("float");
}

/* Appends shapes and types as struct profile_use has them; a shape that cannot be read becomes "?". */
static void put_lists(struct str shapes, struct str types, struct buf *out, struct buf *out_types)
{
	struct str word;

	shapes = without_quotes(shapes);
	if (shapes.len && !str_eq(shapes, STR("N/A")) && !npu_shape_put(out, shapes))
		buf_byte(out, '?');
	types = without_quotes(types);
	buf_byte(out_types, '[');
	for (bool first = true; str_cut(&types, ';', &word); first = false)
		buf_printf(out_types, "%s\"%.*s\"", first ? "" : ", ", STR_ARG(type_word(word)));
	buf_byte(out_types, ']');
}

struct call_cost kernel_cost_of(struct arena *scratch, const struct cann_kernel *kernel)
{
	CLEANUP(buf_clear) struct buf in = BUF_UNLIMITED, in_types = BUF_UNLIMITED;
	CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED, out_types = BUF_UNLIMITED;

	put_lists(kernel->inputs, kernel->input_types, &in, &in_types);
	put_lists(kernel->outputs, kernel->output_types, &out, &out_types);
	return call_cost_of(scratch, &(struct cost_call){ .work = work_of_kernel(kernel->type),
					     .shapes = buf_str(&in),
					     .dtypes = buf_str(&in_types),
					     .outputs = buf_str(&out),
					     .output_types = buf_str(&out_types) });
}
