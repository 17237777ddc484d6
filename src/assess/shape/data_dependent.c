#include "assess/shape/dynamic.h"
#include "base/mem.h"
#include "opdb/resolve/resolve.h"

/* What the tag dynamic_output_shape does not say. Read in PyTorch 2.6: the first two carry no tag;
   aten/src/ATen/native/ IndexingUtils.h (expandTensors) turns a mask into indices by calling nonzero, and the shape of
   the result of index depends on values in that case only. */
static const struct {
	const char *ns, *base;
	const char *reached; /* it depends on values only where this aten operator was called; NULL: always */
} exceptions[] = {
	{ "torchvision", "nms", NULL },
	{ "aten", "_unique", NULL },
	{ "aten", "index", "nonzero" },
};

static bool has_aten(const struct operators *operators, struct str base)
{
	for (size_t i = 0; i < operators->count; i++) {
		const struct op *op = &operators->items[i];

		if (str_eq(op->ns, STR("aten")) && str_eq(op->base, base))
			return true;
	}
	return false;
}

bool is_data_dependent(const struct operators *operators, const struct op *op, unsigned tags, bool rows_hidden)
{
	for (size_t i = 0; i < ARRAY_SIZE(exceptions); i++) {
		if (!str_eq(op->ns, str_from(exceptions[i].ns)) || !str_eq(op->base, str_from(exceptions[i].base)))
			continue;
		return !exceptions[i].reached || rows_hidden || has_aten(operators, str_from(exceptions[i].reached));
	}
	return tags & TAG_DYNAMIC_OUTPUT_SHAPE;
}
