#include "store/blobs/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "store/engine/directory.h"

enum { NS_A_SECOND = 1000 * 1000 * 1000 };

struct directory {
	struct blob_keeper keeper;
	int backup_fd; /* locked by who copies the files */
	char dumps[PATH_MAX];
};

static struct directory *of(struct blob_keeper *keeper)
{
	return (struct directory *)keeper;
}

static const char *path_of(char path[PATH_MAX], struct blob_keeper *keeper, struct str sha256)
{
	if (snprintf(path, PATH_MAX, "%s/%.*s", of(keeper)->dumps, STR_ARG(sha256)) >= PATH_MAX)
		path[0] = '\0';
	return path;
}

static int fail_with(struct blob_keeper *keeper, int reason, const char *what, struct err *err)
{
	return blob_file_error(keeper->place->directory, reason, what, err);
}

static int sync_names(struct blob_keeper *keeper, struct err *err)
{
	int fd = open(of(keeper)->dumps, O_RDONLY | O_DIRECTORY | O_CLOEXEC), failed = fd < 0 || fsync(fd),
	    reason = errno;

	if (fd >= 0)
		close(fd);
	return failed ? fail_with(keeper, reason, "cannot keep the dump", err) : 0;
}

static int put_file(struct blob_keeper *keeper, struct blob_file *file, struct err *err)
{
	char path[PATH_MAX];

	path_of(path, keeper, str_from(file->sha256));
	if (rename(file->path, path))
		return fail_with(keeper, errno, "cannot keep the dump", err);
	free(file->path);
	file->path = mem_text(path);
	file->is_copy = false;
	return sync_names(keeper, err);
}

static int open_file(struct blob_keeper *keeper, struct str sha256, struct blob_file *ret, struct err *err)
{
	char path[PATH_MAX];
	struct stat info;

	*ret = (struct blob_file){ .fd = open(path_of(path, keeper, sha256), O_RDONLY | O_CLOEXEC | O_NOFOLLOW) };
	if (ret->fd < 0 && errno == ENOENT)
		return 0;
	if (ret->fd < 0 || fstat(ret->fd, &info))
		return fail_with(keeper, errno, "cannot read the dump", err);
	ret->bytes = (uint64_t)info.st_size;
	ret->path = mem_text(path);
	snprintf(ret->sha256, sizeof(ret->sha256), "%.*s", STR_ARG(sha256));
	return 1;
}

/* The row itself is the mark: collect looks for it. */
static int mark_file(
	struct blob_keeper *keeper, struct engine *writer UNUSED, struct str sha256, struct err *err UNUSED)
{
	char path[PATH_MAX];

	return access(path_of(path, keeper, sha256), F_OK) == 0;
}

/* Its time is when it was needed last. */
static int release_file(struct blob_keeper *keeper, struct engine *writer, struct str sha256, struct err *err UNUSED)
{
	struct timespec times[2] = { { .tv_sec = (time_t)engine_now(writer) } };
	char path[PATH_MAX];

	times[1] = times[0];
	utimensat(AT_FDCWD, path_of(path, keeper, sha256), times, AT_SYMLINK_NOFOLLOW);
	return 0;
}

static int look_at_file(struct blob_keeper *keeper, struct str sha256, struct blob_look *ret, struct err *err UNUSED)
{
	char path[PATH_MAX];
	struct stat info;

	if (stat(path_of(path, keeper, sha256), &info))
		return 0;
	ret->bytes = info.st_size;
	ret->changed_at = (int64_t)info.st_mtim.tv_sec * NS_A_SECOND + info.st_mtim.tv_nsec;
	return 1;
}

/* A file whose row may come back waits for the next start. */
static void collect_file(struct blob_keeper *keeper, const struct blob_collection *collection, struct str sha256)
{
	static const char is_unused[] = "SELECT 1 WHERE " BLOB_IS_UNUSED("?1");
	struct engine *writer = collection->writer;
	char path[PATH_MAX];
	struct stat info;
	struct err ignored;

	if (stat(path_of(path, keeper, sha256), &info) || (uint64_t)info.st_mtim.tv_sec >= collection->before ||
		engine_may_come_back(writer) || engine_ask(writer, is_unused, BIND(TEXT(sha256)), &ignored) != 1)
		return;
	if (flock(of(keeper)->backup_fd, LOCK_EX | LOCK_NB) == 0) {
		unlink(path);
		flock(of(keeper)->backup_fd, LOCK_UN);
	}
}

static int collect_files(struct blob_keeper *keeper, const struct blob_collection *collection, struct err *err UNUSED)
{
	const struct dirent *entry;
	DIR *directory;

	if (!collection->writer)
		return 0;
	if (collection->only.len) {
		collect_file(keeper, collection, collection->only);
		return 0;
	}
	directory = opendir(of(keeper)->dumps);
	while (directory && (entry = readdir(directory))) {
		if (entry->d_name[0] != '.')
			collect_file(keeper, collection, str_from(entry->d_name));
	}
	if (directory)
		closedir(directory);
	return 0;
}

static void free_directory(struct blob_keeper *keeper)
{
	if (of(keeper)->backup_fd >= 0)
		close(of(keeper)->backup_fd);
	free(keeper);
}

static const struct blob_kind kind = { put_file, open_file, mark_file, release_file, collect_files, look_at_file, NULL,
	NULL, free_directory };

int blob_directory_new(const struct store_place *place, struct blob_keeper **ret, struct err *err)
{
	struct directory *directory = mem_zalloc(sizeof(*directory));
	char lock[PATH_MAX];

	directory->keeper = (struct blob_keeper){ &kind, place };
	directory->backup_fd = -1;
	snprintf(directory->dumps, sizeof(directory->dumps), "%s/dumps", place->directory);
	snprintf(lock, sizeof(lock), "%s/backup.lock", place->directory);
	*ret = &directory->keeper;
	if (mkdir(directory->dumps, 0700) && errno != EEXIST)
		return fail_with(*ret, errno, "cannot make the state directory", err);
	directory_share(place->directory, "dumps");
	directory->backup_fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	directory_share(place->directory, "backup.lock");
	return directory->backup_fd < 0 ? fail_with(*ret, errno, "cannot lock the state directory", err) : 0;
}
