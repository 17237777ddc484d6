#include "dump/npu/db_file.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"

enum { NAME_BYTES = 64, SECTOR_BYTES = 4096 };

struct descriptor_file {
	sqlite3_file base;
	int fd;
	struct file_span span;
};

/* --- the file */

static int close_file(sqlite3_file *file UNUSED)
{
	return SQLITE_OK;
}

static int read_file(sqlite3_file *file, void *to, int bytes, sqlite3_int64 offset)
{
	const struct descriptor_file *descriptor = (const struct descriptor_file *)file;
	uint64_t left = (uint64_t)offset < descriptor->span.bytes ? descriptor->span.bytes - (uint64_t)offset : 0;
	ssize_t done = 0, got = 0, wanted = left < (uint64_t)bytes ? (ssize_t)left : bytes;

	while (done < wanted) {
		got = pread(descriptor->fd, (char *)to + done, (size_t)(wanted - done),
			(off_t)descriptor->span.from + offset + done);
		if (got <= 0)
			break;
		done += got;
	}
	if (done == bytes)
		return SQLITE_OK;
	memset((char *)to + done, 0, (size_t)(bytes - done));
	return got < 0 ? SQLITE_IOERR_READ : SQLITE_IOERR_SHORT_READ;
}

static int write_nothing(
	sqlite3_file *file UNUSED, const void *from UNUSED, int bytes UNUSED, sqlite3_int64 offset UNUSED)
{
	return SQLITE_READONLY;
}

static int truncate_nothing(sqlite3_file *file UNUSED, sqlite3_int64 bytes UNUSED)
{
	return SQLITE_READONLY;
}

static int ignore_flags(sqlite3_file *file UNUSED, int flags UNUSED)
{
	return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *ret)
{
	const struct descriptor_file *descriptor = (const struct descriptor_file *)file;
	struct stat info;
	uint64_t left;

	if (fstat(descriptor->fd, &info))
		return SQLITE_IOERR_FSTAT;
	left = (uint64_t)info.st_size > descriptor->span.from ? (uint64_t)info.st_size - descriptor->span.from : 0;
	*ret = (sqlite3_int64)(left < descriptor->span.bytes ? left : descriptor->span.bytes);
	return SQLITE_OK;
}

static int has_no_lock(sqlite3_file *file UNUSED, int *ret)
{
	*ret = 0;
	return SQLITE_OK;
}

static int control_nothing(sqlite3_file *file UNUSED, int operation UNUSED, void *argument UNUSED)
{
	return SQLITE_NOTFOUND;
}

static int sector_size(sqlite3_file *file UNUSED)
{
	return SECTOR_BYTES;
}

static int characteristics(sqlite3_file *file UNUSED)
{
	return SQLITE_IOCAP_IMMUTABLE;
}

static const sqlite3_io_methods methods = { 1, close_file, read_file, write_nothing, truncate_nothing, ignore_flags,
	file_size, ignore_flags, ignore_flags, has_no_lock, control_nothing, sector_size, characteristics };

/* --- the system, in which a name is the number of a descriptor and the span of its file */

static bool take_name(const char *name, uint64_t *ret_fd, struct file_span *ret)
{
	struct str rest = str_from(name ? name : ""), fd, from;

	return str_cut(&rest, ' ', &fd) && str_cut(&rest, ' ', &from) && decimal_unsigned(fd, ret_fd) &&
	       decimal_unsigned(from, &ret->from) && decimal_unsigned(rest, &ret->bytes);
}

static int open_file(sqlite3_vfs *vfs UNUSED, const char *name, sqlite3_file *file, int flags, int *ret_flags)
{
	struct descriptor_file *ret = (struct descriptor_file *)file;
	uint64_t number;

	ret->base.pMethods = NULL;
	if (!(flags & SQLITE_OPEN_MAIN_DB) || !take_name(name, &number, &ret->span))
		return SQLITE_CANTOPEN;
	ret->base.pMethods = &methods;
	ret->fd = (int)number;
	if (ret_flags)
		*ret_flags = SQLITE_OPEN_READONLY;
	return SQLITE_OK;
}

static int delete_nothing(sqlite3_vfs *vfs UNUSED, const char *name UNUSED, int sync UNUSED)
{
	return SQLITE_IOERR_DELETE;
}

static int is_not_there(sqlite3_vfs *vfs UNUSED, const char *name UNUSED, int flags UNUSED, int *ret)
{
	*ret = 0;
	return SQLITE_OK;
}

static int full_name(sqlite3_vfs *vfs UNUSED, const char *name, int bytes, char *ret)
{
	return snprintf(ret, (size_t)bytes, "%s", name) < bytes ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int no_randomness(sqlite3_vfs *vfs UNUSED, int bytes, char *ret)
{
	memset(ret, 0, (size_t)bytes);
	return bytes;
}

static int no_sleep(sqlite3_vfs *vfs UNUSED, int microseconds UNUSED)
{
	return 0;
}

static int no_time(sqlite3_vfs *vfs UNUSED, double *ret)
{
	*ret = 0;
	return SQLITE_OK;
}

int npu_db_open_file(int fd, const struct file_span *span, struct sqlite3 **ret)
{
	static sqlite3_vfs one_file = { .iVersion = 1,
		.szOsFile = sizeof(struct descriptor_file),
		.mxPathname = NAME_BYTES,
		.zName = "opcheck-descriptor",
		.xOpen = open_file,
		.xDelete = delete_nothing,
		.xAccess = is_not_there,
		.xFullPathname = full_name,
		.xRandomness = no_randomness,
		.xSleep = no_sleep,
		.xCurrentTime = no_time };
	char name[NAME_BYTES];
	int code;

	snprintf(name, sizeof(name), "%d %llu %llu", fd, (unsigned long long)span->from,
		(unsigned long long)span->bytes);
	code = sqlite3_vfs_register(&one_file, 0);
	return code ? code : sqlite3_open_v2(name, ret, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, one_file.zName);
}
