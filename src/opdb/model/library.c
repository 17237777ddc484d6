#include "opdb/model/library.h"

#include "opdb/model/dtype.h"

bool collective_holds(const struct collective_fact *fact, const struct release *release)
{
	return fact->target == release->target && fact->first <= release->place && release->place <= fact->last;
}

unsigned collective_types(const struct collective_fact *fact, const struct chip *chip)
{
	static const struct str newest = { "950", 3 };
	bool on_newest = chip && str_eq(chip->family, newest);

	if (!fact->supported)
		return 0;
	return fact->dtypes ? fact->dtypes | (on_newest ? fact->newest_chip : 0) : DTYPE_ALL;
}

bool package_has_kernel(const struct package_fact *fact)
{
	return !str_eq(fact->how, STR("not implemented")) && !str_starts(fact->how, STR("raises"));
}

struct str collective_backend(enum target_kind target)
{
	return target == TARGET_NPU ? STR("hccl") : STR("mccl");
}
