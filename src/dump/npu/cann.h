#pragma once
/* Spelling of tasks and shapes by CANN and torch_npu, in CSV tables, databases and traces. */
#include "base/memory/buf.h"
#include "dump/common/format.h"

/* The unit that ran a task: OBSERVED_ON_AICPU, OBSERVED_ON_AICORE for every other unit that is named,
   OBSERVED_ON_DEVICE for "", "N/A" and "Other". */
enum observed_where npu_task_unit(struct str task_type);

/* "aclnnMm" of "aclnnMm_MatMulCommon_MatMulV2"; "" where the name holds no call. */
struct str npu_task_launch(struct str task_name);

/* Counts tasks of the AI CPU, and keeps some of their names. */
void npu_count_aicpu(struct dump_facts *facts, struct str name, uint64_t calls);

/*
 * Appends "4,12,32;\r\n32,32;\r\n" (sizes by commas, arguments by semicolons with any blanks behind, an empty one for
 * what is no tensor) as tables of PyTorch print it: "[[4, 12, 32], [32, 32], []]". False, and nothing appended, for
 * anything else.
 */
bool npu_shape_put(struct buf *buf, struct str text);
