/* Files that are there whole or not at all. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/outfile.h"
#include "tests/unit/files.h"

static struct scratch scratch;

static int make(void **state)
{
	scratch_make(&scratch);
	return 0;
}

static int clean(void **state)
{
	scratch_remove(&scratch);
	return 0;
}

static void assert_file(const char *path, const char *text)
{
	CLEANUP(buf_clear) struct buf found = BUF_INIT(10000);

	file_read(path, &found);
	assert_str(buf_str(&found), text);
}

static void a_new_file_has_the_bytes_and_the_usual_rights(void **state)
{
	struct err err = { 0 };
	struct stat info;
	mode_t mask = umask(027);

	assert_int_equal(outfile_write(scratch_path(&scratch, "report.json"), STR("{}\n"), false, &err), 0);
	umask(mask);
	assert_file(scratch.path, "{}\n");
	assert_int_equal(stat(scratch.path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0640);
	assert_int_equal(scratch_count(&scratch), 1);
}

static void a_file_that_is_there_is_left_alone_unless_told_otherwise(void **state)
{
	struct err err = { 0 };

	file_write(scratch_path(&scratch, "report.json"), STR("old"));
	assert_int_equal(outfile_write(scratch.path, STR("new"), false, &err), -ERR_EXISTS);
	assert_string_equal(err.where, scratch.path);
	assert_file(scratch.path, "old");
	assert_int_equal(outfile_write(scratch.path, STR("new"), true, &err), 0);
	assert_file(scratch.path, "new");
	assert_int_equal(scratch_count(&scratch), 1);
}

static void a_path_that_cannot_be_written_is_an_error_and_leaves_no_rest(void **state)
{
	static const struct {
		const char *name, *text;
	} cases[] = {
		{ "", "this is a directory" },
		{ "missing/report.json", "cannot create a file beside it: No such file or directory" },
	};
	struct err err = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(
			outfile_write(scratch_path(&scratch, cases[i].name), STR("x"), true, &err), -ERR_OUTPUT);
		assert_string_equal(err.text, cases[i].text);
		assert_string_equal(err.where, scratch.path);
		assert_int_equal(scratch_count(&scratch), 0);
	}
}

static void a_full_disk_is_an_error(void **state)
{
	struct err err = { 0 };
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	assert_int_equal(outfile_write("/dev/full", STR("x"), false, &err), -ERR_OUTPUT);
	assert_string_equal(err.text, "cannot write: No space left on device");
	assert_int_equal(outfile_put(fd, STR("x"), &err), -ERR_OUTPUT);
	assert_int_equal(outfile_put(fd, STR(""), &err), 0);
	close(fd);
}

static void what_is_no_regular_file_is_written_directly(void **state)
{
	struct err err = { 0 };
	char byte = 0;
	int ends[2];

	assert_int_equal(outfile_write("/dev/null", STR("x"), false, &err), 0);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(outfile_put(ends[1], STR("y"), &err), 0);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	assert_int_equal(byte, 'y');
	close(ends[0]);
	close(ends[1]);
}

static void (*action_of(int number))(int)
{
	struct sigaction action;

	sigaction(number, NULL, &action);
	return action.sa_handler;
}

/* Under nohup a hang-up must not end the program, neither while a file is written nor afterwards. */
static void a_signal_that_is_ignored_stays_so(void **state)
{
	struct err err = { 0 };
	void (*usual)(int) = signal(SIGHUP, SIG_IGN), (*interrupt)(int) = action_of(SIGINT);

	assert_int_equal(outfile_write(scratch_path(&scratch, "report.json"), STR("x"), false, &err), 0);
	assert_ptr_equal(action_of(SIGHUP), SIG_IGN);
	assert_ptr_equal(action_of(SIGINT), interrupt);
	signal(SIGHUP, usual);
}

/* A child writes until a signal ends it: nothing but a whole file may remain. */
static void a_signal_leaves_no_temporary_file(void **state)
{
	static char bytes[1 << 16];
	struct err err = { 0 };

	scratch_path(&scratch, "report.json");
	for (unsigned round = 0; round < 20; round++) {
		pid_t child = fork();
		int status;

		if (child == 0) {
			for (;;)
				outfile_write(scratch.path, (struct str){ bytes, sizeof(bytes) }, true, &err);
		}
		usleep(1000 + round * 777);
		kill(child, SIGTERM);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	}
	assert_true(scratch_count(&scratch) <= 1);
}

/* Writes two files; the second one cannot be, so neither is. */
static void several_files_are_written_together_or_not_at_all(void **state)
{
	struct outfile files[2] = { { NULL, STR("one\n") }, { NULL, STR("two\n") } };
	char first[sizeof(scratch.path)], second[sizeof(scratch.path) + 16];
	struct err err = { 0 };

	scratch_path(&scratch, "first.tsv");
	snprintf(first, sizeof(first), "%s", scratch.path);
	scratch_path(&scratch, "nowhere");
	snprintf(second, sizeof(second), "%s/second.tsv", scratch.path);
	files[0].path = first;
	files[1].path = second;
	assert_int_equal(outfile_write_all(files, 2, &err), -ERR_OUTPUT);
	assert_non_null(strstr(err.where, "second.tsv"));
	assert_int_equal(scratch_count(&scratch), 0);
	scratch_path(&scratch, "second.tsv");
	files[1].path = scratch.path;
	assert_int_equal(outfile_write_all(files, 2, &err), 0);
	assert_int_equal(outfile_write_all(files, 2, &err), 0);
	assert_int_equal(scratch_count(&scratch), 2);
	assert_int_equal(outfile_write_all(files, 0, &err), 0);
}

static void several_files_leave_no_rest_after_a_signal(void **state)
{
	static char bytes[1 << 16];
	char first[sizeof(scratch.path)];
	struct err err = { 0 };

	scratch_path(&scratch, "first.tsv");
	snprintf(first, sizeof(first), "%s", scratch.path);
	scratch_path(&scratch, "second.tsv");
	for (unsigned round = 0; round < 20; round++) {
		struct outfile files[2] = { { first, { bytes, sizeof(bytes) } },
			{ scratch.path, { bytes, sizeof(bytes) } } };
		pid_t child = fork();
		int status;

		if (child == 0) {
			for (;;)
				outfile_write_all(files, 2, &err);
		}
		usleep(1000 + round * 777);
		kill(child, SIGTERM);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	}
	assert_true(scratch_count(&scratch) <= 2);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_new_file_has_the_bytes_and_the_usual_rights, make, clean),
		cmocka_unit_test_setup_teardown(a_file_that_is_there_is_left_alone_unless_told_otherwise, make, clean),
		cmocka_unit_test_setup_teardown(
			a_path_that_cannot_be_written_is_an_error_and_leaves_no_rest, make, clean),
		cmocka_unit_test(a_full_disk_is_an_error),
		cmocka_unit_test(what_is_no_regular_file_is_written_directly),
		cmocka_unit_test_setup_teardown(a_signal_that_is_ignored_stays_so, make, clean),
		cmocka_unit_test_setup_teardown(a_signal_leaves_no_temporary_file, make, clean),
		cmocka_unit_test_setup_teardown(several_files_are_written_together_or_not_at_all, make, clean),
		cmocka_unit_test_setup_teardown(several_files_leave_no_rest_after_a_signal, make, clean),
	};

	return run_group(tests);
}
