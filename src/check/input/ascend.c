#include "check/input/ascend.h"

#include <fnmatch.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"

#define SUMMARY "op_summary*.csv"

static const char *const groups[ASCEND_GROUPS][4] = {
	[ASCEND_OPERATORS] = { "operator_details.csv", "ascend_pytorch_profiler*.db", "trace_view.json" },
	[ASCEND_TASKS] = { "kernel_details.csv", SUMMARY, "op_statistic*.csv", "data_preprocess.csv" },
	[ASCEND_CALLS] = { "api_statistic*.csv" },
	[ASCEND_STEPS] = { "step_trace_time.csv" },
};

static bool name_matches(struct str name, const char *pattern)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	buf_add(&text, name);
	return fnmatch(pattern, buf_text(&text), 0) == 0;
}

bool ascend_table(struct str name, unsigned *ret_group, unsigned *ret_place)
{
	for (unsigned i = 0; i < ASCEND_GROUPS; i++) {
		for (unsigned j = 0; j < ARRAY_SIZE(groups[i]) && groups[i][j]; j++) {
			if (!name_matches(name, groups[i][j]))
				continue;
			*ret_group = i;
			*ret_place = j;
			return true;
		}
	}
	return false;
}

bool ascend_is_summary(struct str name)
{
	return name_matches(name, SUMMARY);
}

struct str ascend_rank(struct arena *arena, struct str name)
{
	const struct str head = STR("profiler_info_"), tail = STR(".json");
	uint64_t number;

	if (str_starts(name, head) && str_ends(name, tail) && name.len > head.len + tail.len &&
		decimal_unsigned(str_chop(str_skip(name, head.len), tail.len), &number))
		return arena_printf(arena, "rank%llu", (unsigned long long)number);
	return STR("");
}

bool ascend_is_info(struct str name)
{
	return name_matches(name, "profiler_info*.json");
}

struct str path_base(struct str path)
{
	return str_tail(path, '/');
}

struct str path_folder(struct str path)
{
	size_t base_bytes = path_base(path).len;

	return base_bytes < path.len ? str_chop(path, base_bytes + 1) : str_sub(path, 0, 0);
}
