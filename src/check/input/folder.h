#pragma once
/*
 * The dumps of a folder: those of torch_npu's profiler (NAME_ascend_pt), one for each rank, or files such as logs of
 * ranks.
 *
 * Of an Ascend folder the tables that say most are taken, not those that repeat them: operator_details.csv, else the
 * database, else trace_view.json, for operators; kernel_details.csv, else the op_summary tables, else
 * op_statistic.csv, else data_preprocess.csv, for what ran on the device; api_statistic.csv and step_trace_time.csv
 * (check/input/ascend.h). Where torch_npu left no table of tasks, those of CANN's own profiler are taken, in
 * PROF_x/mindstudio_profiler_output. Of any other folder all files are taken, also from folders in it. Names that
 * begin with a dot, links to folders and special files are skipped. The list is sorted by the natural order of names,
 * whatever the order of the system.
 */
#include "base/memory/arena.h"
#include "base/setup/err.h"
#include "base/setup/limits.h"

struct folder_file {
	const char *path;
	struct str name;  /* relative to the folder */
	struct str rank;  /* "rank3" when the folder tells; "" */
	size_t device;    /* number of its Ascend folder, from 1; 0: none */
	const char *info; /* the file of that folder that names the releases, or NULL */
	bool aside;       /* a dump can do without it: any file of another folder, or a table that names no operators */
};

struct folder {
	struct arena text;
	struct folder_file *items;
	size_t count, capacity;
};

bool folder_is(const char *path);

/* ERR_OPEN; ERR_LIMIT over limits.folder_files or folder_depth; ERR_DIRECTORY when no file is there. Clear it in any
   case. */
int folder_list(const char *path, const struct limits *limits, struct folder *ret, struct err *err);
void folder_clear(struct folder *folder);
