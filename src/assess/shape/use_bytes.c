#include "assess/shape/use_bytes.h"

#include <math.h>

#include "assess/shape/tensors.h"
#include "base/value/figure.h"
#include "base/view/ascii.h"
#include "op/call.h"
#include "opdb/model/dtype.h"

struct use_bytes use_bytes_of(struct arena *scratch, const struct profile_use *use)
{
	struct use_bytes bytes = { 0 };
	struct tensors tensors;

	bytes.known = use->shapes.len && !use->shapes_cut &&
		      tensors_read(scratch, use->shapes, use->dtypes, 0, &tensors);
	for (size_t i = 0; bytes.known && i < tensors.count; i++) {
		const struct tensor *tensor = &tensors.items[i];
		unsigned width = dtype_bytes(tensor->types);
		double exact = tensor->count * (width ? width : ASSUMED_BYTES);
		uint64_t size = exact < (double)FIGURE_MAX ? (uint64_t)fmax(exact, 0) : (uint64_t)FIGURE_MAX;

		bytes.all = figure_count(bytes.all, size);
		bytes.assumed = figure_count(bytes.assumed, width ? 0 : size);
		bytes.largest = size > bytes.largest ? size : bytes.largest;
	}
	arena_clear(scratch);
	return bytes;
}

static struct str type_text(struct str recorded)
{
	unsigned type = recorded.len ? dtype_from(recorded) : 0;
	/* a name of C++ types needs no quotes anywhere */
	bool plain = recorded.len &&
		     ALL(i, recorded.len, is_word(recorded.ptr[i]) || memchr(":<> ", recorded.ptr[i], 4));

	if (type && !(type & (type - 1)))
		return dtype_name((unsigned)__builtin_ctz(type));
	return plain ? recorded : STR("-");
}

void use_put_types(struct buf *text, const struct profile_use *use)
{
	struct call call;

	if (!use->dtypes.len || !call_read(use->shapes, use->dtypes, STR(""), &call) || !call.typed)
		return;
	for (size_t i = 0; i < call.count; i++)
		buf_printf(text, "%s%.*s", i ? ", " : "", STR_ARG(type_text(call.arguments[i].type)));
}
