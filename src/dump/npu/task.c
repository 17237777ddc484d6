#include "dump/npu/task.h"

#include "base/mem.h"

/* Spellings of CANN 6 to 8: "Accelerator Core" and "Task Type" of its tables and of trace_view.json. */
enum observed_where npu_task_unit(struct str task_type)
{
	static const struct str aicpu[] = { STR("AI_CPU"), STR("AICPU"), STR("KERNEL_AICPU") };
	static const struct str untold[] = { STR(""), STR("N/A"), STR("Other") };

	for (size_t i = 0; i < ARRAY_SIZE(aicpu); i++) {
		if (str_eq(task_type, aicpu[i]))
			return OBSERVED_ON_AICPU;
	}
	for (size_t i = 0; i < ARRAY_SIZE(untold); i++) {
		if (str_eq(task_type, untold[i]))
			return OBSERVED_ON_DEVICE;
	}
	return OBSERVED_ON_AICORE;
}

struct str npu_task_launch(struct str task_name)
{
	struct str rest = task_name, call;

	if (!str_starts(task_name, STR("aclnn")))
		return STR("");
	str_cut(&rest, '_', &call);
	return call;
}

void npu_count_aicpu(struct dump_facts *facts, struct str name, uint64_t calls)
{
	struct shown text = shown(name);

	facts->aicpu_calls += calls;
	for (unsigned i = 0; i < facts->aicpu_type_count; i++) {
		if (strcmp(facts->aicpu_types[i].text, text.text) == 0)
			return;
	}
	if (facts->aicpu_type_count < MAX_SAMPLES)
		facts->aicpu_types[facts->aicpu_type_count++] = text;
}
