#include "tests/unit/cluster.h"

#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory/mem.h"

enum { TRIES = 6000, PAUSE_MS = 10, NS_A_MS = 1000 * 1000, ROOM_BYTES = 512 << 20 };

static char directory[32], programs[PATH_MAX];
static pid_t server;

/* The folder of the newest version's programs; false without any. */
static bool find_programs(void)
{
	glob_t found = { 0 };

	if (glob("/usr/lib/postgresql/*/bin/initdb", 0, NULL, &found) == 0) {
		snprintf(programs, sizeof(programs), "%s", found.gl_pathv[found.gl_pathc - 1]);
		*strrchr(programs, '/') = '\0';
	}
	globfree(&found);
	return programs[0];
}

/* PostgreSQL refuses to run as root. */
static bool leave_root(void)
{
	const struct passwd *other = geteuid() ? NULL : getpwnam("nobody");

	return geteuid() != 0 || (other && !setgroups(0, NULL) && !setgid(other->pw_gid) && !setuid(other->pw_uid));
}

static pid_t start_program(const char *name, const char *const *arguments)
{
	char path[PATH_MAX + 32], log[PATH_MAX];
	pid_t child = fork();
	int fd;

	if (child)
		return child;
	snprintf(path, sizeof(path), "%s/%s", programs, name);
	snprintf(log, sizeof(log), "%s/log", directory);
	if (!leave_root())
		_exit(126);
	prctl(PR_SET_PDEATHSIG, SIGQUIT);
	fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	if (chdir(directory))
		_exit(126);
	execv(path, (char *const *)(uintptr_t)arguments);
	_exit(127);
}

static bool run_program(const char *name, const char *const *arguments)
{
	int status;
	pid_t child = start_program(name, arguments);

	return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool cluster_run(const char *sql)
{
	const char *const arguments[] = { "psql", "-X", "-q", "-h", directory, "-U", "opcheck", "-d", "postgres", "-c",
		sql, NULL };

	return run_program("psql", arguments);
}

/* Its last line says so. */
static bool is_ready(void)
{
	char path[PATH_MAX], text[1024] = "";
	FILE *file;

	snprintf(path, sizeof(path), "%s/data/postmaster.pid", directory);
	file = fopen(path, "re");
	if (!file)
		return false;
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return strstr(text, "ready") != NULL;
}

/* Another collation than that of bytes, and no waiting for disks. */
static bool start_server(void)
{
	const char *const initdb[] = { "initdb", "-D", "data", "-U", "opcheck", "--auth=trust", "--no-sync",
		"--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US", "--wal-segsize=1",
		NULL };
	const char *const postgres[] = { "postgres", "-D", "data", "-k", directory, "-c", "listen_addresses=", "-c",
		"fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off", "-c", "shared_buffers=16MB",
		"-c", "max_wal_size=8MB", NULL };
	const struct timespec pause = { .tv_nsec = PAUSE_MS * NS_A_MS };

	if (!run_program("initdb", initdb))
		return false;
	server = start_program("postgres", postgres);
	for (int i = 0; i < TRIES; i++) {
		if (is_ready())
			return true;
		if (waitpid(server, NULL, WNOHANG) == server)
			break;
		nanosleep(&pause, NULL);
	}
	return false;
}

/* In memory, where that has room. */
static bool make_directory(void)
{
	struct statvfs memory;
	bool has_room = statvfs("/dev/shm", &memory) == 0 && (uint64_t)memory.f_bavail * memory.f_frsize > ROOM_BYTES;

	snprintf(directory, sizeof(directory), "%s/opcheck-pg-XXXXXX", has_room ? "/dev/shm" : "/tmp");
	return mkdtemp(directory);
}

bool cluster_start(void)
{
	const struct passwd *other = geteuid() ? NULL : getpwnam("nobody");

	if (!find_programs()) {
		puts("# PostgreSQL is not installed: its half of the contract is skipped");
		return false;
	}
	if (!make_directory() || (other && chown(directory, other->pw_uid, other->pw_gid)) || !start_server()) {
		printf("# PostgreSQL does not start: %s/log\n", directory);
		abort();
	}
	return true;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
	return remove(path);
}

void cluster_stop(void)
{
	kill(server, SIGQUIT);
	waitpid(server, NULL, 0);
	nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void cluster_put_url(const char *database, char ret[CLUSTER_URL_BYTES])
{
	char host[3 * sizeof(directory) + 1], *end = host;

	for (const char *at = directory; *at; at++) /* a slash of a host is written %2F */
		end += snprintf(end, 4, *at == '/' ? "%%2F" : "%c", *at);
	snprintf(ret, CLUSTER_URL_BYTES, "postgresql://opcheck@%s/%s", host, database);
}
