#include "store/upload.h"

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
#include "base/value/sha256.h"
#include "store/db.h"

struct upload {
	struct store *store;
	int fd;
	bool kept; /* the file is a dump of the store now */
	uint64_t bytes, max_bytes;
	struct sha256 *sha; /* NULL once the digest is known */
	char sha256[SHA256_HEX_BYTES];
	char *path;
};

int upload_begin(struct store *store, uint64_t max_bytes, struct upload **ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf path = BUF_UNLIMITED;
	int fd;

	buf_printf(&path, "%s/incoming/XXXXXX", store->directory);
	fd = mkostemp(path.ptr, O_CLOEXEC);
	if (fd < 0)
		return store_error(store, errno, "cannot take an upload", err);
	*ret = mem_zalloc(sizeof(**ret));
	**ret = (struct upload){
		.store = store, .fd = fd, .path = buf_take(&path), .max_bytes = max_bytes, .sha = sha256_new()
	};
	return 0;
}

static struct damaged_dump look_at_dump(const struct store *store, const char *sha256)
{
	struct damaged_dump found = { .bytes = -1, .changed_at = -1 };
	char path[PATH_MAX];
	struct stat info;

	snprintf(found.sha256, sizeof(found.sha256), "%s", sha256);
	if (snprintf(path, sizeof(path), "%s/dumps/%s", store->directory, sha256) < PATH_MAX &&
		stat(path, &info) == 0) {
		found.bytes = info.st_size;
		found.changed_at = info.st_mtim.tv_sec * INT64_C(1000000000) + info.st_mtim.tv_nsec;
	}
	return found;
}

static void note_damage(struct store *store, const char *sha256)
{
	struct damaged_dump found = look_at_dump(store, sha256);

	pthread_mutex_lock(&store->lock);
	store->damaged = found;
	pthread_mutex_unlock(&store->lock);
}

void upload_note_damage(const struct upload *upload)
{
	note_damage(upload->store, upload->sha256);
}

static int missing_dump(struct store *store, const char *sha256, struct err *err)
{
	note_damage(store, sha256);
	err_set(err, ERR_STORE_DAMAGED, "the dump %s is missing", sha256);
	return err_file(err, store->directory);
}

int store_check_dumps(struct store *store, struct err *err)
{
	struct damaged_dump before, now;

	pthread_mutex_lock(&store->lock);
	before = store->damaged;
	pthread_mutex_unlock(&store->lock);
	if (!before.sha256[0])
		return 0;
	now = look_at_dump(store, before.sha256);
	if (now.bytes == before.bytes && now.changed_at == before.changed_at)
		return err_set(err, ERR_STORE_DAMAGED, "the dump %s is %s", before.sha256,
			before.bytes < 0 ? "missing" : "not what was stored");
	pthread_mutex_lock(&store->lock);
	store->damaged.sha256[0] = '\0'; /* put back, or removed: its next reader says more */
	pthread_mutex_unlock(&store->lock);
	return 0;
}

int upload_of_dump(struct store *store, struct str sha256, struct upload **ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf path = BUF_UNLIMITED;
	struct stat info;
	int fd;

	buf_printf(&path, "%s/dumps/%.*s", store->directory, STR_ARG(sha256));
	fd = open(buf_text(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0 && errno == ENOENT)
		return missing_dump(store, strrchr(buf_text(&path), '/') + 1, err);
	if (fd < 0 || fstat(fd, &info))
		return store_error(store, errno, "cannot read the dump", err);
	*ret = mem_zalloc(sizeof(**ret));
	**ret = (struct upload){
		.store = store, .fd = fd, .kept = true, .bytes = (uint64_t)info.st_size, .path = buf_take(&path)
	};
	snprintf((*ret)->sha256, sizeof((*ret)->sha256), "%.*s", STR_ARG(sha256));
	return 0;
}

int upload_add(struct upload *upload, struct str bytes, struct err *err)
{
	if (bytes.len > upload->max_bytes - upload->bytes) {
		err_set(err, ERR_LIMIT, "the upload has more than %llu bytes", (unsigned long long)upload->max_bytes);
		return err_hint(err, "compress the dump with gzip or zstd, or profile fewer steps");
	}
	sha256_add(upload->sha, bytes);
	upload->bytes += bytes.len;
	while (bytes.len) {
		ssize_t written = write(upload->fd, bytes.ptr, bytes.len);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return store_error(upload->store, errno, "cannot write the upload", err);
		bytes = str_skip(bytes, (size_t)written);
	}
	return 0;
}

void upload_end(struct upload *upload)
{
	sha256_end(upload->sha, upload->sha256);
	upload->sha = NULL;
}

int upload_open(const struct upload *upload, int *ret_fd, struct err *err)
{
	*ret_fd = open(upload->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	return *ret_fd < 0 ? store_error(upload->store, errno, "cannot read the upload", err) : 0;
}

struct str upload_sha256(const struct upload *upload)
{
	return str_from(upload->sha256);
}

uint64_t upload_bytes(const struct upload *upload)
{
	return upload->bytes;
}

int upload_sync(struct upload *upload, struct err *err)
{
	return fsync(upload->fd) ? store_error(upload->store, errno, "cannot write the upload", err) : 0;
}

static int sync_directory(struct store *store, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), failed = fd < 0 || fsync(fd), reason = errno;

	if (fd >= 0)
		close(fd);
	return failed ? store_error(store, reason, "cannot keep the dump", err) : 0;
}

int upload_keep(struct upload *upload, struct err *err)
{
	CLEANUP(buf_clear) struct buf directory = BUF_UNLIMITED;
	CLEANUP(buf_clear) struct buf path = BUF_UNLIMITED;

	if (upload->kept)
		return 0;
	buf_printf(&directory, "%s/dumps", upload->store->directory);
	buf_printf(&path, "%s/%s", buf_text(&directory), upload->sha256);
	if (rename(upload->path, buf_text(&path)))
		return store_error(upload->store, errno, "cannot keep the dump", err);
	free(upload->path);
	upload->path = buf_take(&path);
	upload->kept = true;
	return sync_directory(upload->store, buf_text(&directory), err);
}

bool upload_is_kept(const struct upload *upload)
{
	return upload->kept;
}

/* A dump whose row may come back waits for the next start. */
void upload_drop_unused(struct store *store, struct str sha256)
{
	struct db *db = &store->writer;
	char path[PATH_MAX];
	struct err ignored;

	if (!engine_may_come_back(db->engine) && db_run(db, STATEMENT_INPUT_USED, BIND(TEXT(sha256)), &ignored) == 0 &&
		flock(store->backup_fd, LOCK_EX | LOCK_NB) == 0) {
		if (snprintf(path, sizeof(path), "%s/dumps/%.*s", store->directory, STR_ARG(sha256)) < PATH_MAX)
			unlink(path);
		flock(store->backup_fd, LOCK_UN);
	}
}

void upload_free(struct upload *upload)
{
	if (!upload)
		return;
	if (!upload->kept)
		unlink(upload->path);
	close(upload->fd);
	sha256_free(upload->sha);
	free(upload->path);
	free(upload);
}
