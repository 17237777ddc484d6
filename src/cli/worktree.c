#include "cli/worktree.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

extern char **environ;

/* Starts git with its standard output in a pipe and no standard error. Returns the end to read, or -1. */
static int start_git(const char *const *words, pid_t *ret_process)
{
	posix_spawn_file_actions_t actions;
	int ends[2], failed;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	failed = posix_spawnp(ret_process, "git", &actions, NULL, (char *const *)(uintptr_t)words, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (failed) {
		close(ends[0]);
		return -1;
	}
	return ends[0];
}

/* Runs git in a folder. Returns its exit status, -1 when it did not run; the first of what it prints. */
static int run_git(const char *const *words, char *space, size_t bytes)
{
	pid_t process;
	int from = start_git(words, &process), status = -1;
	size_t len = 0;
	ssize_t got;
	char rest[4096];

	if (from < 0)
		return -1;
	while ((got = read(from, rest, sizeof(rest))) > 0 || (got < 0 && errno == EINTR)) {
		size_t room = bytes - 1 - len, part = got > 0 ? (size_t)got : 0;

		part = part < room ? part : room;
		memcpy(space + len, rest, part);
		len += part;
	}
	space[len] = '\0';
	close(from);
	while (waitpid(process, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int worktree_clean(const char *path, struct err *err)
{
	CLEANUP(buf_clear) struct buf folder = BUF_UNLIMITED;
	const char *name = str_file_name(path);
	struct stat info;
	bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
	struct str before = is_folder ? str_from(path) : (struct str){ path, (size_t)(name - path) };
	char printed[256];
	int status;

	buf_add(&folder, before.len ? before : STR("."));
	status = run_git((const char *const[]){ "git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
				 "-C", buf_text(&folder), "status", "--porcelain", "--untracked-files=all", "--",
				 is_folder ? "." : name, NULL },
		printed, sizeof(printed));
	if (status)
		err_set(err, ERR_EXISTS, "not in a work tree of git, so the change could not be taken back");
	else if (printed[0])
		err_set(err, ERR_EXISTS, "changes that are not committed: %s",
			shown((struct str){ printed, strcspn(printed, "\n") }).text);
	else
		return 0;
	err_hint(err, "commit first, or write a patch: opcheck port PATH -t npu --patch port.patch");
	return err_where(err, "%s", shown(str_from(path)).text);
}
