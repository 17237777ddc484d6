#pragma once
/*
 * What torch_npu's profiler leaves in a folder NAME_ascend_pt, by the names of its files: which tables say most, and
 * whose they are. Folders and archives are read by the same rules.
 */
#include "base/memory/arena.h"
#include "base/view/str.h"

#define ASCEND_OUTPUT "ASCEND_PROFILER_OUTPUT"
/* Of CANN's own profiler, beside it in PROF_*: its tables bear a date in their names, and large ones come in slices. */
#define ASCEND_MINDSTUDIO "mindstudio_profiler_output"

enum { ASCEND_OPERATORS, ASCEND_TASKS, ASCEND_CALLS, ASCEND_STEPS, ASCEND_GROUPS };

/* The group of tables that a file belongs to by its name, and its place there: of each group the one with the lowest
   place that is there says what the others repeat. False when it is none that is read. */
bool ascend_table(struct str name, unsigned *ret_group, unsigned *ret_place);

/* The slices of op_summary, which all are read: what one place of ASCEND_TASKS stands for. */
bool ascend_is_summary(struct str name);

/* "rank3" for "profiler_info_3.json", which stands beside the output; "" for anything else. */
struct str ascend_rank(struct arena *arena, struct str name);

/* Whether a file beside the output names the releases: "profiler_info.json", "profiler_info_3.json". */
bool ascend_is_info(struct str name);

/* Last part of a path; the path without its last part ("" when it has but one). */
struct str path_base(struct str path);
struct str path_folder(struct str path);
