#pragma once
/*
 * Files of torch_npu's profiler in a folder NAME_ascend_pt, by their names: the most complete tables, and their rank.
 * Folders and archives have the same rules.
 */
#include "base/memory/arena.h"
#include "base/view/str.h"

#define ASCEND_OUTPUT "ASCEND_PROFILER_OUTPUT"
/* Of CANN's own profiler, beside it in PROF_*: its tables bear a date in their names, and large ones come in slices. */
#define ASCEND_MINDSTUDIO "mindstudio_profiler_output"

enum { ASCEND_OPERATORS, ASCEND_TASKS, ASCEND_CALLS, ASCEND_STEPS, ASCEND_GROUPS };

/* The group of tables of a file by its name, and its rank in it: the file of lowest rank in a group has all that the
   others repeat. False for files that are not read. */
bool ascend_table(struct str name, unsigned *ret_group, unsigned *ret_place);

/* The slices of op_summary, which share one rank of ASCEND_TASKS and are all read. */
bool ascend_is_summary(struct str name);

/* "rank3" for "profiler_info_3.json", which stands beside the output; "" for anything else. */
struct str ascend_rank(struct arena *arena, struct str name);

/* Returns whether a file names the releases: "profiler_info.json", "profiler_info_3.json". */
bool ascend_is_info(struct str name);

/* Last part of a path; the path without its last part ("" when it has but one). */
struct str path_base(struct str path);
struct str path_folder(struct str path);
