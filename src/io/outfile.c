#include "io/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

/* Previous actions of the signals. */
static struct sigaction usual[ARRAY_SIZE(signals)];

/* The temporary files that a signal must remove. */
static char doomed[OUTFILES][PATH_MAX];
static volatile sig_atomic_t doomed_count;

static void release_signals(void)
{
	doomed_count = 0;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &usual[i], NULL);
}

static void remove_and_die(int number)
{
	for (int i = 0; i < doomed_count; i++)
		unlink(doomed[i]);
	release_signals();
	raise(number);
}

/* A signal that is ignored, as under nohup, stays so. */
static void guard(const char *path)
{
	struct sigaction action = { .sa_handler = remove_and_die, .sa_flags = SA_NODEFER };

	snprintf(doomed[doomed_count], sizeof(doomed[0]), "%s", path);
	for (size_t i = 0; i < ARRAY_SIZE(signals) && !doomed_count; i++)
		sigaction(signals[i], NULL, &usual[i]);
	doomed_count++;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		if (usual[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

/* Makes the file and guards it, with no signal in between. */
static int create_guarded(char *temporary)
{
	sigset_t held, before;
	int fd;

	sigemptyset(&held);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(&held, signals[i]);
	pthread_sigmask(SIG_BLOCK, &held, &before);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd >= 0)
		guard(temporary);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return fd;
}

int outfile_put(int fd, struct str bytes, struct err *err)
{
	while (bytes.len) {
		ssize_t written = write(fd, bytes.ptr, bytes.len);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return err_os(err, ERR_OUTPUT, errno, "cannot write");
		bytes = str_skip(bytes, (size_t)written);
	}
	return 0;
}

static int put_and_sync(int fd, struct str bytes, struct err *err)
{
	int status = outfile_put(fd, bytes, err);

	if (!status && fsync(fd) && errno != EINVAL && errno != EROFS)
		status = err_os(err, ERR_OUTPUT, errno, "cannot write");
	return status;
}

/* New files get the rights that any program's new files get. */
static void usual_rights(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	(void)!fchmod(fd, 0666 & ~mask);
}

/* Writes a temporary file beside path, which is guarded from then on until release. */
static int write_temporary(const char *path, struct str bytes, char temporary[PATH_MAX], struct err *err)
{
	int fd, status;

	if (snprintf(temporary, PATH_MAX, "%s.XXXXXX", path) >= PATH_MAX)
		return err_set(err, ERR_OUTPUT, "the path is too long");
	fd = create_guarded(temporary);
	if (fd < 0)
		return err_os(err, ERR_OUTPUT, errno, "cannot create a file beside it");
	usual_rights(fd);
	status = put_and_sync(fd, bytes, err);
	if (close(fd) && !status)
		status = err_os(err, ERR_OUTPUT, errno, "cannot write");
	if (status)
		unlink(temporary);
	return status;
}

static int put_in_place(const char *temporary, const char *path, struct err *err)
{
	if (rename(temporary, path) == 0)
		return 0;
	err_os(err, ERR_OUTPUT, errno, "cannot put the new file in place");
	unlink(temporary);
	return -err->code;
}

static int write_beside(const char *path, struct str bytes, struct err *err)
{
	char temporary[PATH_MAX];
	int status = write_temporary(path, bytes, temporary, err);

	if (!status)
		status = put_in_place(temporary, path, err);
	if (doomed_count)
		release_signals();
	return status;
}

int outfile_write_all(const struct outfile *files, size_t count, struct err *err)
{
	char temporary[OUTFILES][PATH_MAX];
	size_t written = 0, placed = 0;
	int status = count > OUTFILES ? err_set(err, ERR_INTERNAL, "more than %d files at once", OUTFILES) : 0;

	while (!status && written < count) {
		status = write_temporary(files[written].path, files[written].bytes, temporary[written], err);
		if (status)
			err_where(err, "%s", shown(str_from(files[written].path)).text);
		else
			written++;
	}
	while (!status && placed < count) {
		status = put_in_place(temporary[placed], files[placed].path, err);
		if (status)
			err_where(err, "%s", shown(str_from(files[placed].path)).text);
		placed++;
	}
	for (size_t i = placed; i < written; i++)
		unlink(temporary[i]);
	if (doomed_count)
		release_signals();
	return status;
}

static int write_directly(const char *path, struct str bytes, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), status;

	if (fd < 0)
		return err_os(err, ERR_OUTPUT, errno, "cannot open for writing");
	status = outfile_put(fd, bytes, err);
	close(fd);
	return status;
}

/* Returns whether the path may be written; sets *ret_special for an existing path that is not a regular file. */
static int check_path(const char *path, bool replace, bool *ret_special, struct err *err)
{
	struct stat info;
	bool exists = stat(path, &info) == 0;

	*ret_special = exists && !S_ISREG(info.st_mode);
	if (exists && S_ISDIR(info.st_mode))
		return err_set(err, ERR_OUTPUT, "this is a directory");
	if (exists && !*ret_special && !replace) {
		err_set(err, ERR_EXISTS, "the file exists");
		return err_hint(err, "give --force to replace it");
	}
	return 0;
}

int outfile_check(const char *path, bool replace, struct err *err)
{
	bool special;
	int status = check_path(path, replace, &special, err);

	return status ? err_where(err, "%s", shown(str_from(path)).text) : 0;
}

int outfile_write(const char *path, struct str bytes, bool replace, struct err *err)
{
	bool special;
	int status = check_path(path, replace, &special, err);

	if (!status)
		status = special ? write_directly(path, bytes, err) : write_beside(path, bytes, err);
	return status ? err_where(err, "%s", shown(str_from(path)).text) : 0;
}
