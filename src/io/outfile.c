#include "io/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

/* The temporary file that a signal must remove; empty when there is none. */
static char doomed[PATH_MAX];
static volatile sig_atomic_t is_doomed;

static void remove_and_die(int number)
{
	if (is_doomed)
		unlink(doomed);
	/* the handler was installed with SA_RESETHAND: this time the signal acts as ever */
	raise(number);
}

static void guard(const char *path)
{
	struct sigaction action = { .sa_handler = remove_and_die, .sa_flags = (int)SA_RESETHAND | SA_NODEFER };

	snprintf(doomed, sizeof(doomed), "%s", path);
	is_doomed = 1;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &action, NULL);
}

static void release(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	is_doomed = 0;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &action, NULL);
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

static int fill(int fd, struct str bytes, struct err *err)
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

static int write_beside(const char *path, struct str bytes, struct err *err)
{
	char temporary[PATH_MAX];
	int fd, status;

	if (snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path) >= (int)sizeof(temporary))
		return err_set(err, ERR_OUTPUT, "the path is too long");
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return err_os(err, ERR_OUTPUT, errno, "cannot create a file beside it");
	guard(temporary);
	usual_rights(fd);
	status = fill(fd, bytes, err);
	if (close(fd) && !status)
		status = err_os(err, ERR_OUTPUT, errno, "cannot write");
	if (!status && rename(temporary, path))
		status = err_os(err, ERR_OUTPUT, errno, "cannot put the new file in place");
	if (status)
		unlink(temporary);
	release();
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

int outfile_write(const char *path, struct str bytes, bool replace, struct err *err)
{
	struct stat info;
	bool exists = stat(path, &info) == 0;
	int status;

	if (exists && S_ISDIR(info.st_mode))
		status = err_set(err, ERR_OUTPUT, "this is a directory");
	else if (exists && !S_ISREG(info.st_mode))
		status = write_directly(path, bytes, err);
	else if (exists && !replace) {
		status = err_set(err, ERR_EXISTS, "the file is there already");
		err_hint(err, "give --force to replace it");
	} else {
		status = write_beside(path, bytes, err);
	}
	if (status)
		err_where(err, "%s", shown(str_from(path)).text);
	return status;
}
