#include "opdb/model/release.h"

#include "base/value/words.h"

const struct str target_names[TARGET_COUNT] = { [TARGET_NPU] = STR("npu"), [TARGET_MUSA] = STR("musa") };
const struct words target_words = { target_names, TARGET_COUNT, 0 };

struct str target_kind_name(enum target_kind target)
{
	return target_names[target];
}

struct str target_plugin_name(enum target_kind target)
{
	return target == TARGET_NPU ? STR("torch_npu") : STR("torch_musa");
}

bool target_kind_from(struct str text, enum target_kind *ret)
{
	size_t at = STR_POSITION(target_names, TARGET_COUNT, text);

	if (at != STR_NONE)
		*ret = (enum target_kind)at;
	return at != STR_NONE;
}
