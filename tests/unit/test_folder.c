/* Folders of dumps: which files are taken, in which order, within which limits. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/buf.h"
#include "check/input/folder.h"
#include "tests/unit/check.h"
#include "tests/unit/temporary.h"

static char root[256];

static void path_of(struct buf *ret, const char *name)
{
	buf_printf(ret, "%s/%s", root, name);
}

static void make_folder(const char *name)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(1000);

	path_of(&path, name);
	assert_int_equal(mkdir(buf_text(&path), 0700), 0);
}

static void make_file(const char *name)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(1000);
	FILE *file;

	path_of(&path, name);
	file = fopen(buf_text(&path), "we");
	assert_non_null(file);
	fputs("x", file);
	fclose(file);
}

static int make_root(void **state)
{
	return mkdtemp(temporary_path(root, sizeof(root))) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
	return remove(path);
}

static int remove_root(void **state)
{
	return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* "NAME|RANK;" a file */
static void assert_files(const char *want)
{
	CLEANUP(buf_clear) struct buf found = BUF_INIT(100000);
	struct limits limits = limits_default();
	struct folder folder;
	struct err err = { 0 };

	if (folder_list(root, &limits, &folder, &err))
		fail_msg("%s: %s", err.where, err.text);
	for (size_t i = 0; i < folder.count; i++) {
		assert_int_equal(access(folder.items[i].path, R_OK), 0);
		buf_printf(&found, "%.*s|%.*s;", STR_ARG(folder.items[i].name), STR_ARG(folder.items[i].rank));
	}
	assert_str(buf_str(&found), want);
	folder_clear(&folder);
}

static void files_come_in_natural_order(void **state)
{
	CLEANUP(buf_clear) struct buf from = BUF_INIT(1000), to = BUF_INIT(1000);

	make_file("rank10.log");
	make_file("rank9.log");
	make_file(".hidden");
	make_folder("b");
	make_file("b/rank1.log");
	path_of(&from, "b");
	path_of(&to, "link");
	assert_int_equal(symlink(buf_text(&from), buf_text(&to)), 0);
	assert_files("b/rank1.log|;rank9.log|;rank10.log|;");
}

static void of_an_ascend_folder_the_telling_tables_are_taken(void **state)
{
	make_folder("x_ascend_pt");
	make_folder("x_ascend_pt/ASCEND_PROFILER_OUTPUT");
	make_folder("x_ascend_pt/FRAMEWORK");
	make_file("x_ascend_pt/FRAMEWORK/torch.op_range");
	make_file("x_ascend_pt/ASCEND_PROFILER_OUTPUT/op_statistic.csv");
	make_file("x_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json");
	make_file("x_ascend_pt/ASCEND_PROFILER_OUTPUT/operator_memory.csv");
	assert_files("x_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json|;x_ascend_pt/ASCEND_PROFILER_OUTPUT/"
		     "op_statistic.csv|;");
	make_file("x_ascend_pt/ASCEND_PROFILER_OUTPUT/operator_details.csv");
	make_file("x_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv");
	make_file("x_ascend_pt/ASCEND_PROFILER_OUTPUT/step_trace_time.csv");
	assert_files("x_ascend_pt/ASCEND_PROFILER_OUTPUT/operator_details.csv|;x_ascend_pt/ASCEND_PROFILER_OUTPUT/"
		     "kernel_details.csv|;"
		     "x_ascend_pt/ASCEND_PROFILER_OUTPUT/step_trace_time.csv|;");
}

static void several_ascend_folders_are_ranks(void **state)
{
	make_folder("a_ascend_pt");
	make_folder("a_ascend_pt/ASCEND_PROFILER_OUTPUT");
	make_file("a_ascend_pt/ASCEND_PROFILER_OUTPUT/operator_details.csv");
	make_folder("b_ascend_pt");
	make_folder("b_ascend_pt/ASCEND_PROFILER_OUTPUT");
	make_file("b_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_7.db");
	assert_files("a_ascend_pt/ASCEND_PROFILER_OUTPUT/operator_details.csv|a_ascend_pt;"
		     "b_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_7.db|b_ascend_pt;");
	make_file("a_ascend_pt/profiler_info_0.json");
	make_file("b_ascend_pt/profiler_info_7.json");
	assert_files("a_ascend_pt/ASCEND_PROFILER_OUTPUT/operator_details.csv|rank0;"
		     "b_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_7.db|rank7;");
}

static void the_limits_hold(void **state)
{
	struct limits limits = limits_default();
	struct folder folder;
	struct err err = { 0 };

	assert_int_equal(folder_list(root, &limits, &folder, &err), -ERR_DIRECTORY);
	folder_clear(&folder);
	make_folder("a");
	make_folder("a/b");
	make_file("a/b/c");
	limits.folder_depth = 2;
	assert_int_equal(folder_list(root, &limits, &folder, &err), -ERR_LIMIT);
	assert_true(strlen(err.hint) > 0 && strlen(err.where) > 0);
	folder_clear(&folder);
	limits.folder_depth = 3;
	limits.folder_files = 2;
	assert_int_equal(folder_list(root, &limits, &folder, &err), -ERR_LIMIT);
	folder_clear(&folder);
	limits.folder_files = 3;
	assert_int_equal(folder_list(root, &limits, &folder, &err), 0);
	folder_clear(&folder);
	assert_int_equal(folder_list("/nowhere/at/all", &limits, &folder, &err), -ERR_OPEN);
	folder_clear(&folder);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(files_come_in_natural_order, make_root, remove_root),
		cmocka_unit_test_setup_teardown(
			of_an_ascend_folder_the_telling_tables_are_taken, make_root, remove_root),
		cmocka_unit_test_setup_teardown(several_ascend_folders_are_ranks, make_root, remove_root),
		cmocka_unit_test_setup_teardown(the_limits_hold, make_root, remove_root),
	};

	return run_group(tests);
}
