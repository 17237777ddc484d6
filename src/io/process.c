#include "io/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/setup/clock.h"

extern char **environ;

/* Returns the end of a pipe that has what the process prints, or -1. */
static int start_process(const char *const *words, pid_t *ret_process)
{
	posix_spawn_file_actions_t actions;
	int ends[2], failed;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	failed = posix_spawnp(ret_process, words[0], &actions, NULL, (char *const *)(uintptr_t)words, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (failed) {
		close(ends[0]);
		return -1;
	}
	return ends[0];
}

/* Waits until there is something to read; false once the time is over. until 0: never. */
static bool wait_for_bytes(int from, int64_t until)
{
	struct pollfd waited = { .fd = from, .events = POLLIN };
	int64_t left = until ? until - clock_ms() : -1;
	int ready = 0;

	while ((!until || left > 0) && (ready = poll(&waited, 1, left > 60000 ? 60000 : (int)left)) <= 0) {
		if (ready < 0 && errno != EINTR)
			return false;
		left = until ? until - clock_ms() : -1;
	}
	return ready > 0;
}

/* False when the time was over before the end. */
static bool read_all(int from, uint64_t seconds, struct buf *out)
{
	int64_t until = seconds ? clock_ms() + (int64_t)seconds * 1000 : 0;
	char space[4096];
	ssize_t got = 1;

	while (got) {
		size_t room = out->max_bytes - out->len;

		if (!wait_for_bytes(from, until))
			return false;
		got = read(from, space, sizeof(space));
		if (got < 0 && errno != EINTR)
			return false;
		if (got > 0)
			buf_add(out, (struct str){ space, (size_t)got < room ? (size_t)got : room });
	}
	return true;
}

int process_run(const char *const *words, uint64_t seconds, struct buf *out)
{
	pid_t process;
	int from = start_process(words, &process), status = -1;

	if (from < 0)
		return PROCESS_NOT_STARTED;
	if (!read_all(from, seconds, out))
		kill(process, SIGKILL);
	close(from);
	while (waitpid(process, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : PROCESS_ENDED_EARLY;
}
