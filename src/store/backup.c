#include "store/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "store/db.h"
#include "store/engine/sqlite_steps.h"

enum { PIECE_BYTES = 1 << 16, LONGEST_NAME = 128 };

static const char rows_name[] = "store.sqlite", part_name[] = "store.sqlite.part";

struct copying {
	const char *from, *to;
	struct backup *done;
	struct err *err;
};

static int fail_at(const struct copying *copying, const char *what, const char *name)
{
	int code = errno == ENOSPC || errno == EDQUOT || errno == EFBIG ? ERR_STORE_FULL : ERR_STORE;

	err_os(copying->err, (enum err_code)code, errno, "cannot %s %s", what, name);
	return err_file(copying->err, copying->to);
}

static const char *path_of(char path[PATH_MAX], const char *directory, const char *name)
{
	snprintf(path, PATH_MAX, "%s/%s", directory, name);
	return path;
}

/* --- files */

static int make_directories(const struct copying *copying)
{
	char path[PATH_MAX];

	if (mkdir(copying->to, 0700) && errno != EEXIST)
		return fail_at(copying, "make", "the directory");
	if (rmdir(copying->to) || mkdir(copying->to, 0700)) {
		err_set(copying->err, ERR_EXISTS, "the directory is not empty");
		err_hint(copying->err, "give each backup a new directory");
		return err_file(copying->err, copying->to);
	}
	return mkdir(path_of(path, copying->to, "dumps"), 0700) ? fail_at(copying, "make", "dumps") : 0;
}

static int sync_path(const struct copying *copying, const char *name)
{
	char path[PATH_MAX];
	int fd = open(path_of(path, copying->to, name), O_RDONLY | O_CLOEXEC);
	int status = fd < 0 || fsync(fd) ? fail_at(copying, "write", name) : 0;

	if (fd >= 0)
		close(fd);
	return status;
}

static int copy_bytes(const struct copying *copying, int from, int to, struct sha256 *sha)
{
	char piece[PIECE_BYTES];
	ssize_t count;

	while ((count = read(from, piece, sizeof(piece))) > 0) {
		sha256_add(sha, (struct str){ piece, (size_t)count });
		copying->done->bytes += (uint64_t)count;
		for (ssize_t at = 0, written; at < count; at += written) {
			written = write(to, piece + at, (size_t)(count - at));
			if (written < 0)
				return fail_at(copying, "write", "a dump");
		}
	}
	return count < 0 || fsync(to) ? fail_at(copying, "copy", "a dump") : 0;
}

/* The name of a dump is the digest of its bytes. */
static int copy_open_dump(const struct copying *copying, const char *name, int from, int to)
{
	struct sha256 *sha = sha256_new();
	char digest[SHA256_HEX_BYTES];
	int status = copy_bytes(copying, from, to, sha);

	sha256_end(sha, digest);
	if (status || strcmp(name, digest) == 0)
		return status;
	return err_set(copying->err, ERR_STORE_DAMAGED, "the dump %s is not what was stored", name);
}

static int copy_dump(const struct copying *copying, const char *digest)
{
	char name[LONGEST_NAME], path[PATH_MAX];
	int from, to, status;

	snprintf(name, sizeof(name), "dumps/%s", digest);
	from = open(path_of(path, copying->from, name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (from < 0)
		return fail_at(copying, "read", name);
	to = open(path_of(path, copying->to, name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	status = to < 0 ? fail_at(copying, "write", name) : copy_open_dump(copying, digest, from, to);
	close(from);
	if (to >= 0)
		close(to);
	copying->done->dumps++;
	return status;
}

/* --- rows */

static int rows_error(const struct copying *copying, sqlite3 *sqlite)
{
	int code = sqlite3_errcode(sqlite) == SQLITE_FULL ? ERR_STORE_FULL : ERR_STORE;

	err_set(copying->err, (enum err_code)code, "cannot copy the rows: %s", sqlite3_errmsg(sqlite));
	return err_file(copying->err, copying->to);
}

static int copy_rows(const struct copying *copying, sqlite3 *from, sqlite3 *to)
{
	sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
	int result;

	if (!backup)
		return rows_error(copying, to);
	do
		result = sqlite3_backup_step(backup, -1);
	while ((result == SQLITE_BUSY || result == SQLITE_LOCKED) && sqlite3_sleep(10));
	sqlite3_backup_finish(backup);
	return result == SQLITE_DONE ? 0 : rows_error(copying, to);
}

/* One text of the copy, or all of a column. */
static int each_text(const struct copying *copying, sqlite3 *rows, const char *sql,
	int (*take)(const struct copying *, const char *))
{
	sqlite3_stmt *statement = NULL;
	int status = 0, result;

	if (sqlite3_prepare_v2(rows, sql, -1, &statement, NULL))
		return rows_error(copying, rows);
	while ((result = sqlite3_step(statement)) == SQLITE_ROW && !status)
		status = take(copying, (const char *)sqlite3_column_text(statement, 0));
	if (!status && result != SQLITE_DONE)
		status = rows_error(copying, rows);
	sqlite3_finalize(statement);
	return status;
}

static int expect_ok(const struct copying *copying, const char *answer)
{
	return strcmp(answer, "ok") == 0 ? 0
					 : err_set(copying->err, ERR_STORE_DAMAGED, "the copy is damaged: %s", answer);
}

static int count_assessment(const struct copying *copying, const char *id UNUSED)
{
	copying->done->assessments++;
	return 0;
}

/* Dumps that are files. Stores of earlier versions have no others. */
static const char *files_of(sqlite3 *rows)
{
	static const char all[] =
		"SELECT input_sha256 FROM assessment UNION SELECT input_sha256 FROM ticket WHERE status = 'queued'";
	static const char files[] =
		"SELECT input_sha256 FROM assessment UNION SELECT input_sha256 FROM ticket WHERE status = 'queued'"
		" UNION SELECT sha256 FROM document WHERE length(content) = 0 EXCEPT SELECT sha256 FROM blob";
	bool has_blobs = sqlite3_table_column_metadata(rows, NULL, "blob", NULL, NULL, NULL, NULL, NULL, NULL) ==
			 SQLITE_OK;

	return has_blobs ? files : all;
}

static int copy_open(const struct copying *copying, sqlite3 *from, sqlite3 *to)
{
	static const struct {
		const char *sql;
		int (*take)(const struct copying *copying, const char *text);
	} steps[] = {
		{ "PRAGMA quick_check", expect_ok },
		{ "SELECT id FROM assessment", count_assessment },
	};
	int status = sqlite_steps_check(from, copying->err);

	if (!status)
		status = copy_rows(copying, from, to);
	for (size_t i = 0; i < ARRAY_SIZE(steps) && !status; i++)
		status = each_text(copying, to, steps[i].sql, steps[i].take);
	return status ? status : each_text(copying, to, files_of(to), copy_dump);
}

static int copy_store(const struct copying *copying)
{
	char path[PATH_MAX];
	sqlite3 *from = NULL, *to = NULL;
	int status = 0;

	if (sqlite3_open_v2(
		    path_of(path, copying->from, rows_name), &from, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, NULL))
		status = rows_error(copying, from);
	else if (sqlite3_open_v2(path_of(path, copying->to, part_name), &to,
			 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW, NULL))
		status = rows_error(copying, to);
	sqlite3_busy_timeout(from, ENGINE_WAIT_MS);
	if (!status)
		status = copy_open(copying, from, to);
	sqlite3_close(to);
	sqlite3_close(from);
	return status;
}

static int finish_copy(const struct copying *copying)
{
	char from[PATH_MAX], to[PATH_MAX];
	int status = sync_path(copying, part_name);

	if (!status)
		status = sync_path(copying, "dumps");
	if (!status && rename(path_of(from, copying->to, part_name), path_of(to, copying->to, rows_name)))
		status = fail_at(copying, "name", rows_name);
	return status ? status : sync_path(copying, ".");
}

int store_backup(const char *directory, const char *to, struct backup *ret, struct err *err)
{
	struct copying copying = { directory, to, ret, err };
	char path[PATH_MAX];
	int lock, status;

	*ret = (struct backup){ 0 };
	if (strlen(directory) > PATH_MAX - LONGEST_NAME || strlen(to) > PATH_MAX - LONGEST_NAME)
		return err_set(err, ERR_STORE, "the path of the directory is too long");
	lock = open(path_of(path, directory, "backup.lock"), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (lock < 0 || flock(lock, LOCK_SH)) {
		copying.to = directory;
		status = fail_at(&copying, "lock", "the state directory");
	} else {
		status = make_directories(&copying);
		if (!status)
			status = copy_store(&copying);
		if (!status)
			status = finish_copy(&copying);
	}
	if (lock >= 0)
		close(lock);
	return status;
}
