#pragma once
/* What the profilers of CANN write of a task: which unit of an NPU ran it, and which call launched it. */
#include "dump/common/format.h"

/* OBSERVED_ON_AICPU, OBSERVED_ON_AICORE for every other unit that is named, OBSERVED_ON_DEVICE for "", "N/A" and "Other". */
enum observed_where npu_task_unit(struct str task_type);

/* "aclnnMm" of "aclnnMm_MatMulCommon_MatMulV2"; "" where the name tells no call. */
struct str npu_task_launch(struct str task_name);

/* Counts tasks of the AI CPU, and keeps some of their names. */
void npu_count_aicpu(struct dump_facts *facts, struct str name, uint64_t calls);
