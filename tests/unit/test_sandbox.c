/* Ways out of a job: a process shut in tries each, and none is open; what its work needs stays. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/tempfile.h"
#include "server/jobs/sandbox.h"
#include "tests/unit/check.h"

#ifdef __has_feature
#define INSTRUMENTED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define INSTRUMENTED 1
#else
#define INSTRUMENTED 0
#endif

static struct rlimit more = { 1 << 20, 1 << 20 };
static int pipe_ends[2];

/* Each returns what the kernel says: -1 with errno. */
#define WAY(name, call)                                                                                                \
	static long name(void)                                                                                         \
	{                                                                                                              \
		return call;                                                                                           \
	}

WAY(open_path, syscall(SYS_openat, AT_FDCWD, "/etc", O_PATH))
WAY(open_path_as_temporary, syscall(SYS_openat, AT_FDCWD, "/etc", O_PATH | O_TMPFILE))
WAY(open_temporary, syscall(SYS_openat, AT_FDCWD, "/tmp", O_TMPFILE | O_RDWR, 0600))
WAY(open_file, syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY))
WAY(open_by_the_old_call, syscall(SYS_open, "/etc/passwd", O_RDONLY))
WAY(stat_by_name, syscall(SYS_newfstatat, AT_FDCWD, "/etc/passwd", &(struct stat){ 0 }, 0))
WAY(stat_without_following, syscall(SYS_newfstatat, 0, "", &(struct stat){ 0 }, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW))
WAY(own_signals_of_a_pipe, fcntl(pipe_ends[0], F_SETOWN, getppid()))
WAY(own_signals_anew, fcntl(pipe_ends[0], F_SETOWN_EX, &(struct f_owner_ex){ F_OWNER_PID, getppid() }))
WAY(choose_a_signal, fcntl(pipe_ends[0], F_SETSIG, 9))
WAY(ask_for_signals, fcntl(pipe_ends[0], F_SETFL, O_ASYNC))
WAY(lease_a_file, fcntl(pipe_ends[0], F_SETLEASE, F_RDLCK))
WAY(grow_a_pipe, fcntl(pipe_ends[0], F_SETPIPE_SZ, 1 << 20))
WAY(limit_the_parent, syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, &more, NULL))
WAY(limit_itself, syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &more, NULL))
WAY(look_at_the_parents_limits, syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, NULL, &more))
WAY(fork_a_process, syscall(SYS_fork))
WAY(clone_a_process, syscall(SYS_clone, 17 /* SIGCHLD */, NULL, NULL, NULL, NULL))
WAY(unshare_names, syscall(SYS_unshare, CLONE_NEWUSER))
WAY(signal_the_parent, syscall(SYS_kill, getppid(), 0))
WAY(signal_a_thread_of_the_parent, syscall(SYS_tgkill, getppid(), getppid(), 0))
WAY(connect_somewhere, syscall(SYS_socket, AF_INET, SOCK_STREAM, 0))
WAY(trace_the_parent, syscall(SYS_ptrace, 16 /* PTRACE_ATTACH */, getppid(), 0, 0))
WAY(read_the_parents_memory, syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0))
WAY(run_a_program, syscall(SYS_execve, "/bin/true", NULL, NULL))
WAY(link_a_file, syscall(SYS_linkat, pipe_ends[0], "", AT_FDCWD, "/tmp/out", AT_EMPTY_PATH))
WAY(remove_a_file, syscall(SYS_unlink, "/tmp/none"))
WAY(rename_a_file, syscall(SYS_rename, "/tmp/none", "/tmp/other"))
WAY(map_code, (long)(intptr_t)mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))

/* in a build with sanitizers the filter only refuses those marked so */
static const struct {
	const char *name;
	long (*try)(void);
	bool always;
} ways[] = {
	{ "open_path", open_path, false },
	{ "open_path_as_temporary", open_path_as_temporary, false },
	{ "open_temporary", open_temporary, false },
	{ "open_file", open_file, false },
	{ "open_by_the_old_call", open_by_the_old_call, false },
	{ "stat_by_name", stat_by_name, false },
	{ "stat_without_following", stat_without_following, false },
	{ "own_signals_of_a_pipe", own_signals_of_a_pipe, false },
	{ "own_signals_anew", own_signals_anew, false },
	{ "choose_a_signal", choose_a_signal, false },
	{ "ask_for_signals", ask_for_signals, false },
	{ "lease_a_file", lease_a_file, false },
	{ "grow_a_pipe", grow_a_pipe, false },
	{ "limit_the_parent", limit_the_parent, false },
	{ "limit_itself", limit_itself, false },
	{ "look_at_the_parents_limits", look_at_the_parents_limits, false },
	{ "fork_a_process", fork_a_process, false },
	{ "clone_a_process", clone_a_process, false },
	{ "unshare_names", unshare_names, false },
	{ "signal_the_parent", signal_the_parent, true },
	{ "signal_a_thread_of_the_parent", signal_a_thread_of_the_parent, false },
	{ "connect_somewhere", connect_somewhere, true },
	{ "trace_the_parent", trace_the_parent, true },
	{ "read_the_parents_memory", read_the_parents_memory, false },
	{ "run_a_program", run_a_program, true },
	{ "link_a_file", link_a_file, false },
	{ "remove_a_file", remove_a_file, true },
	{ "rename_a_file", rename_a_file, true },
	{ "map_code", map_code, false },
};

enum { MOST_BYTES = 256 << 20 };

/* In a process shut in: the exit status is 0 when run says true. */
static int in_sandbox(bool (*run)(size_t index), size_t index)
{
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		struct err err;

		tempfile_reserve();
		_exit(sandbox_enter(&(struct sandbox){ MOST_BYTES, 10, MOST_BYTES }, &err) ? 2 : !run(index));
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static bool is_refused(size_t index)
{
	errno = 0;
	return ways[index].try() == -1 && (errno == EPERM || errno == ENOSYS);
}

static void no_way_out_is_open(void **state)
{
	(void)state;
	assert_int_equal(pipe(pipe_ends), 0);
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		if (INSTRUMENTED && !ways[i].always)
			continue;
		if (in_sandbox(is_refused, i))
			fail_msg("%s is possible", ways[i].name);
	}
	close(pipe_ends[0]);
	close(pipe_ends[1]);
}

/* What libc and the readers do. */
static bool works(size_t index)
{
	struct rlimit limit;
	struct stat info;
	int file = tempfile_open(), other = dup(file);
	bool fine = file >= 0 && other >= 0 && fstat(file, &info) == 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0;

	(void)index;
	fine &= write(file, "text", 4) == 4 && lseek(file, 0, SEEK_END) == 4 && fcntl(other, F_GETFL) >= 0;
	tempfile_close(file);
	file = tempfile_open();
	return fine && fstat(file, &info) == 0 && info.st_size == 0 && malloc(1 << 20);
}

static void what_the_work_needs_is_there(void **state)
{
	(void)state;
	assert_int_equal(in_sandbox(works, 0), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_way_out_is_open),
		cmocka_unit_test(what_the_work_needs_is_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
